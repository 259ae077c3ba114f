"""Tables with policies, roles and statements: every statement is tried by every role under every set of policies, on
Headwater and on PostgreSQL."""

from __future__ import annotations

ROLES = ("r_owner", "r_one", "r_two", "r_member", "r_reader", "r_free", "r_stranger", "headwater")

SETUP = """
CREATE ROLE r_owner;
CREATE ROLE r_one;
CREATE ROLE r_two;
CREATE ROLE r_group;
CREATE ROLE r_member IN ROLE r_group;
CREATE ROLE r_reader IN ROLE pg_read_all_data;
CREATE ROLE r_free BYPASSRLS;
CREATE ROLE r_stranger;
CREATE SCHEMA s;
GRANT ALL ON SCHEMA s TO PUBLIC;
SET ROLE r_owner;
CREATE TABLE s.t (a int PRIMARY KEY, who text, b int CHECK (b < 1000));
CREATE TABLE s.u (a int, n int);
CREATE TABLE s.child (a int REFERENCES s.t ON DELETE CASCADE);
INSERT INTO s.t VALUES (1, 'r_one', 10), (2, 'r_two', 20), (3, 'r_member', 30), (4, NULL, 40), (5, 'r_one', 50);
INSERT INTO s.u VALUES (1, 1), (2, 2), (3, 3);
INSERT INTO s.child VALUES (2);
GRANT ALL ON s.t, s.u, s.child TO r_one, r_two, r_group, r_free;
GRANT SELECT ON s.t TO r_stranger;
CREATE VIEW s.owned AS SELECT a, who, b FROM s.t;
CREATE VIEW s.invoked WITH (security_invoker) AS SELECT a, who, b FROM s.t;
CREATE VIEW s.nested AS SELECT i.a, o.who FROM s.invoked AS i JOIN s.owned AS o USING (a);
CREATE VIEW s.checked AS SELECT b, a FROM s.owned WHERE a < 7 WITH CHECK OPTION;
CREATE VIEW s.over_invoked AS SELECT b, a FROM s.invoked WHERE a IN (SELECT a FROM s.t) AND b < 900;
CREATE VIEW s.invoked_over WITH (security_invoker) AS SELECT a, b, who FROM s.owned;
GRANT ALL ON s.owned, s.invoked, s.nested, s.checked, s.over_invoked, s.invoked_over TO PUBLIC;
SET ROLE r_one;
CREATE VIEW s.ones AS SELECT a, who, b FROM s.t;
GRANT ALL ON s.ones TO PUBLIC;
RESET ROLE;
"""
CLEANED = (*(role for role in ROLES if role != "headwater"), "r_group")

_ON = "ALTER TABLE s.t ENABLE ROW LEVEL SECURITY"
_FORCED = "ALTER TABLE s.t FORCE ROW LEVEL SECURITY"
POLICIES: dict[str, tuple[str, ...]] = {
    "off": ("CREATE POLICY p ON s.t USING (false)",),
    "none": (_ON,),
    "forced, none": (_ON, _FORCED),
    "own rows": (_ON, "CREATE POLICY p ON s.t USING (who = current_user)"),
    "own rows, forced": (_ON, _FORCED, "CREATE POLICY p ON s.t USING (who = current_user)"),
    "for one role": (_ON, "CREATE POLICY p ON s.t TO r_one USING (a < 3)"),
    "for a group": (_ON, "CREATE POLICY p ON s.t TO r_group USING (b >= 20) WITH CHECK (b >= 30)"),
    "two permissive": (
        _ON,
        "CREATE POLICY p ON s.t FOR SELECT USING (who = current_user)",
        "CREATE POLICY q ON s.t FOR ALL TO r_two USING (a > 2) WITH CHECK (a > 4)",
    ),
    "restrictive": (
        _ON,
        "CREATE POLICY p ON s.t USING (true)",
        "CREATE POLICY q ON s.t AS RESTRICTIVE USING (b < 45)",
        "CREATE POLICY r ON s.t AS RESTRICTIVE FOR UPDATE TO r_two USING (a <> 2) WITH CHECK (b <> 21)",
    ),
    "restrictive alone": (_ON, "CREATE POLICY q ON s.t AS RESTRICTIVE USING (true)"),
    "each command": (
        _ON,
        "CREATE POLICY p ON s.t FOR SELECT USING (a <= 4)",
        "CREATE POLICY q ON s.t FOR INSERT WITH CHECK (a > 5)",
        "CREATE POLICY r ON s.t FOR UPDATE USING (a <= 3) WITH CHECK (b < 100)",
        "CREATE POLICY d ON s.t FOR DELETE USING (a = 2 OR a = 5)",
    ),
    "read and insert": (
        _ON,
        "CREATE POLICY p ON s.t FOR SELECT USING (a <> 7)",
        "CREATE POLICY q ON s.t FOR INSERT WITH CHECK (true)",
    ),
    "write blindly": (
        _ON,
        "CREATE POLICY r ON s.t FOR UPDATE USING (a < 3)",
        "CREATE POLICY d ON s.t FOR DELETE USING (a < 3)",
    ),
    "altered": (
        _ON,
        "CREATE POLICY p ON s.t TO r_one USING (a = 1)",
        "ALTER POLICY p ON s.t TO r_one, r_two USING (a = 2) WITH CHECK (a > 5)",
        "ALTER POLICY p ON s.t RENAME TO q",
        "CREATE POLICY p ON s.t USING (true)",
        "DROP POLICY p ON s.t",
        "ALTER TABLE s.t RENAME COLUMN a TO z",
        "ALTER TABLE s.t RENAME COLUMN z TO a",
    ),
    "through another table": (
        _ON,
        "CREATE POLICY p ON s.t USING (EXISTS (SELECT FROM s.u WHERE u.a = t.a AND u.n < 3))",
        "CREATE POLICY q ON s.t FOR INSERT WITH CHECK (who IN (SELECT rolname FROM pg_roles WHERE rolname <> 'r_two'))",
    ),
    "subqueries, restrictive": (
        _ON,
        "CREATE POLICY p ON s.t USING (true)",
        "CREATE POLICY q ON s.t AS RESTRICTIVE USING (a IN (SELECT a FROM s.u)) WITH CHECK (b <> (SELECT 21))",
        "CREATE POLICY r ON s.t AS RESTRICTIVE FOR UPDATE TO r_two USING (a NOT IN (SELECT a FROM s.child))",
    ),
    "through a secured table, forced": (
        _ON,
        _FORCED,
        "ALTER TABLE s.u ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY",
        "CREATE POLICY p ON s.u USING (n <> 2 OR current_user = 'r_two')",
        "CREATE POLICY p ON s.t USING (a IN (SELECT a FROM s.u))",
    ),
    "in a circle": (
        _ON,
        "ALTER TABLE s.u ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY p ON s.u USING (a IN (SELECT a FROM s.t))",
        "CREATE POLICY p ON s.t FOR SELECT USING (a IN (SELECT a FROM s.u))",
        "CREATE POLICY q ON s.t FOR INSERT WITH CHECK (true)",
    ),
    "through a view": (
        _ON,
        "CREATE POLICY p ON s.t FOR SELECT USING (true)",
        "CREATE POLICY q ON s.t FOR UPDATE USING (a IN (SELECT a FROM s.owned WHERE owned.b = t.b))",
        "CREATE POLICY d ON s.t FOR DELETE USING (b > (SELECT avg(b) FROM s.owned))",
    ),
    "off again": (
        _ON,
        "CREATE POLICY p ON s.t USING (false)",
        "ALTER TABLE s.t DISABLE ROW LEVEL SECURITY",
    ),
}

SEVERAL_TABLES = (
    "through another table",
    "subqueries, restrictive",
    "through a secured table, forced",
    "in a circle",
    "through a view",
)
"""Sets of policies that read other tables."""

_WRITTEN_BY = ("s.owned", "s.invoked", "s.ones", "s.checked", "s.over_invoked", "s.invoked_over")
_SEEN_BY = ("s.t", "s.owned", "s.invoked", "s.ones")
STATEMENTS = (
    *(f"SELECT * FROM {relation}" for relation in (*_SEEN_BY, "s.nested")),
    *(f"SELECT count(*), sum(b) FROM {relation}" for relation in _SEEN_BY),
    "SELECT a FROM s.t WHERE a = 2",
    "SELECT a FROM s.t ORDER BY b DESC LIMIT 2",
    "SELECT 1 FROM s.t WHERE 100 / (b - 20) > 0",
    "SELECT who FROM s.t GROUP BY who HAVING count(*) > 1",
    "SELECT x.a, y.a FROM s.t AS x LEFT JOIN s.t AS y ON x.a = y.a + 1",
    "SELECT u.a, (SELECT t.b FROM s.t WHERE t.a = u.a) FROM s.u",
    "SELECT a FROM s.u WHERE EXISTS (SELECT FROM s.t WHERE t.a = u.a)",
    "WITH q AS MATERIALIZED (SELECT * FROM s.t) SELECT max(a) FROM q",
    "SELECT a FROM s.t UNION ALL SELECT a FROM s.owned",
    "SELECT row_number() OVER (ORDER BY a) FROM s.t",
    "COPY s.t TO STDOUT",
    "COPY (SELECT a FROM s.t) TO STDOUT",
    "COPY s.t (a, who, b) FROM STDIN\n8\tr_one\t80\n",
    "TABLE s.t",
    "INSERT INTO s.t VALUES (6, current_user, 60)",
    "INSERT INTO s.t VALUES (6, 'r_two', 25), (7, 'r_one', 35)",
    "INSERT INTO s.t VALUES (6, 'r_two', 25) RETURNING a",
    "INSERT INTO s.t VALUES (7, 'r_two', 70) RETURNING b",
    "INSERT INTO s.t VALUES (7, 'r_two', 70) RETURNING 1",
    "INSERT INTO s.t VALUES (8, current_user, 2000)",
    "INSERT INTO s.t VALUES (2, current_user, 30)",
    "INSERT INTO s.t VALUES (2, current_user, 30) ON CONFLICT DO NOTHING",
    "INSERT INTO s.t VALUES (2, current_user, 30) ON CONFLICT (a) DO NOTHING",
    "INSERT INTO s.t VALUES (2, current_user, 30) ON CONFLICT (a) DO UPDATE SET b = 31",
    "INSERT INTO s.t VALUES (2, current_user, 30) ON CONFLICT (a) DO UPDATE SET b = excluded.b + t.b RETURNING a, b",
    "INSERT INTO s.t VALUES (2, current_user, 30) ON CONFLICT (a) DO UPDATE SET b = 31 WHERE t.b > 20",
    "INSERT INTO s.t VALUES (2, current_user, 30) ON CONFLICT (a) DO UPDATE SET b = 31 WHERE t.b > 19",
    "INSERT INTO s.t VALUES (2, current_user, 30) ON CONFLICT (a) DO UPDATE SET b = 100 / (t.b - 20)",
    "INSERT INTO s.t VALUES (1, 'r_one', 30) ON CONFLICT (a) DO UPDATE SET who = current_user, b = 30",
    "INSERT INTO s.t VALUES (8, current_user, 80), (5, current_user, 30) ON CONFLICT (a) DO UPDATE SET b = 21",
    "INSERT INTO s.t VALUES (2, 'r_two', 30) ON CONFLICT (a) DO UPDATE SET b = (SELECT max(b) FROM s.t)",
    "SELECT a FROM s.t WHERE a = 2 FOR UPDATE",
    "SELECT a FROM s.t FOR UPDATE",
    "SELECT a FROM s.t WHERE a IN (1, 2, 3) FOR NO KEY UPDATE",
    "SELECT a FROM s.t ORDER BY b DESC LIMIT 2 FOR SHARE",
    "SELECT a FROM s.t FOR KEY SHARE",
    "SELECT a FROM s.t WHERE 100 / (b - 20) > 0 FOR UPDATE SKIP LOCKED",
    "SELECT t.a, u.n FROM s.t JOIN s.u ON t.a = u.a FOR UPDATE OF t",
    "SELECT t.a, u.n FROM s.t JOIN s.u ON t.a = u.a FOR UPDATE OF u",
    "SELECT a FROM s.t WHERE a = 2 AND 100 / (b - 20) > 0",
    "SELECT a FROM s.t WHERE a = ANY ('{1, 2, 5}') AND b > 5",
    "SELECT a, b FROM s.ones WHERE a = 2",
    "SELECT a FROM s.t WHERE a = (SELECT 2)",
    "INSERT INTO s.t SELECT a + 10, who, b FROM s.t",
    "INSERT INTO s.u SELECT a, b FROM s.t",
    "UPDATE s.t SET b = 21",
    "UPDATE s.t SET b = 31 WHERE a = 2",
    "UPDATE s.t SET b = b + 1 WHERE a < 4 RETURNING a, b",
    "UPDATE s.t SET who = 'r_two' WHERE b = 10",
    "UPDATE s.t SET b = 500",
    "UPDATE s.t SET b = 32 WHERE a = 2 AND 100 / (b - 20) > 0",
    "UPDATE s.t SET b = b + 1 WHERE a = 1 RETURNING who",
    "DELETE FROM s.t WHERE a = 2",
    "DELETE FROM s.t WHERE a = 5 AND b = 50 RETURNING a",
    "UPDATE s.t SET a = 9 WHERE a = 5",
    "UPDATE s.t SET b = n FROM s.u WHERE t.a = u.a",
    "UPDATE s.u SET n = b FROM s.t WHERE t.a = u.a",
    "UPDATE s.u SET n = (SELECT max(b) FROM s.t)",
    *(
        f"MERGE INTO s.t USING s.u ON {on} {when}"
        for on in ("t.a = u.a", "true")
        for when in (
            "WHEN MATCHED AND u.n = 2 THEN UPDATE SET b = 22",
            "WHEN MATCHED AND u.n = 1 AND t.a = 1 THEN UPDATE SET b = t.b + 100, who = 'r_two'",
            "WHEN MATCHED AND u.n = 2 AND 100 / (t.b - 20) > 0 THEN DELETE",
            "WHEN MATCHED AND u.n = 2 THEN DELETE WHEN MATCHED AND false THEN UPDATE SET b = 1",
            "WHEN MATCHED THEN DO NOTHING WHEN NOT MATCHED THEN INSERT VALUES (u.a + 5, 'r_two', 33)",
        )
    ),
    "MERGE INTO s.t USING s.u ON t.a = u.a + 2 WHEN NOT MATCHED THEN INSERT VALUES (8, current_user, 80)",
    "MERGE INTO s.t USING s.u ON t.a = u.a + 2 WHEN MATCHED AND n = 1 THEN UPDATE SET b = 31 WHEN MATCHED THEN DELETE",
    "MERGE INTO s.t USING s.u ON u.n = 3 WHEN MATCHED AND t.a = 2 THEN UPDATE SET b = 1 / (u.n - u.a)",
    "MERGE INTO s.u USING s.t ON t.a = u.a WHEN MATCHED THEN UPDATE SET n = b WHEN NOT MATCHED THEN INSERT VALUES (b)",
    *(
        template.format(view)
        for view in _WRITTEN_BY
        for template in (
            "INSERT INTO {0} (a, b) VALUES (6, 60)",
            "INSERT INTO {0} (a, b) VALUES (7, 35) RETURNING a",
            "INSERT INTO {0} (a, b) SELECT a + 10, b FROM s.t",
            "INSERT INTO {0} (a, b) VALUES (2, 30) ON CONFLICT (a) DO UPDATE SET b = excluded.b + 1",
            "UPDATE {0} SET b = 31 WHERE a = 2",
            "UPDATE {0} SET b = 21",
            "UPDATE {0} SET a = 9 WHERE b < 60 RETURNING b",
            "DELETE FROM {0} WHERE a = 2",
            "DELETE FROM {0} WHERE 100 / (b - 40) <> 7 RETURNING a, b",
            "DELETE FROM {0}",
        )
    ),
    "DELETE FROM s.t",
    "DELETE FROM s.t WHERE a > 0",
    "DELETE FROM s.t WHERE 100 / (b - 40) <> 7",
    "DELETE FROM s.t USING s.u WHERE t.a = u.a RETURNING t.a, u.n",
    "DELETE FROM s.u WHERE a IN (SELECT a FROM s.t)",
    "WITH gone AS (DELETE FROM s.t WHERE a = 2 RETURNING b) SELECT * FROM gone",
    "WITH made AS (INSERT INTO s.t VALUES (6, 'r_one', 60) RETURNING a) SELECT a FROM made",
    "WITH gone AS (DELETE FROM s.t WHERE a = 2) INSERT INTO s.t VALUES (8, current_user, 33)",
    "INSERT INTO s.child VALUES (4)",
    "INSERT INTO s.child VALUES (99)",
    "TRUNCATE s.t CASCADE",
    "LOCK TABLE s.t IN ACCESS EXCLUSIVE MODE",
    "SELECT row_security_active('s.t')",
    "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = 's.t'::regclass",
    "CREATE TABLE s.copied AS SELECT * FROM s.t",
    "CREATE TEMPORARY VIEW mine AS SELECT * FROM s.t",
    "ALTER TABLE s.t ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE s.t NO FORCE ROW LEVEL SECURITY",
    "CREATE POLICY mine ON s.t",
    "ALTER POLICY p ON s.t USING (true)",
    "DROP POLICY p ON s.t",
    "DROP POLICY IF EXISTS missing ON s.t",
    "COMMENT ON POLICY p ON s.t IS 'x'",
)
PREPARED = (
    ("PREPARE q AS SELECT a FROM s.t", "EXECUTE q"),
    ("DECLARE c CURSOR FOR SELECT a FROM s.t", "FETCH ALL FROM c"),
    ("SET LOCAL row_security = off", "SELECT a FROM s.t"),
    ("SET LOCAL row_security = off", "SELECT a FROM s.ones"),
    ("SET LOCAL row_security = off", "SELECT row_security_active('s.t')"),
)
"""Several statements each, of one transaction."""

SEEN = "SELECT (SELECT array_agg(t ORDER BY t) FROM s.t)::text, (SELECT array_agg(u ORDER BY u) FROM s.u)::text"
"""What is left of a statement's work."""

REFUSED = (
    "SELECT a FROM s.t WHERE a = (SELECT max(a) FROM s.t) FOR UPDATE",
    "SELECT a FROM s.invoked FOR SHARE",
)
"""Works of PostgreSQL that are refused to roles which policies bind."""
