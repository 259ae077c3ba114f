select 1
select 1 as x, 'a', null, 1.5, true, 10000000000, 100000000000000000000, -2147483648, 1e3
select a, b from t where a > 1 and b like 'y%' order by 1 desc limit 3
select t.a, sum(c), count(*) from t join s on t.a = s.a group by t.a having count(*) > 1 order by 2
select * from t left join s using (a) order by a, b, c, d
select * from t natural join s order by 1, 2, 3, 4
select * from t full join s using (a) order by 1, 2, 3, 4
select t.a, s.a from t right join s on t.a = s.a order by 1, 2
select a+1, count(*) from t group by a+1 order by 1
select a as z, count(*) from t group by z order by z nulls first
select b, a from t group by 1, 2 order by 1, 2
select a from t group by b
select a, (select b) from t group by a
select count(*) from t where sum(a) > 1
select sum(sum(a)) from t
select a from t having true
values (1,'a'),(2,'b')
values (1,'a'),(2.5,null)
select * from (values (1),(2),(3)) q(x) order by x desc offset 1
select x.* from generate_series(1,3) x
select x, y from generate_series(1,3) with ordinality x(x,y)
select * from unnest(array[1,2], array['a','b','c']) u(p,q)
select generate_series(1,3), generate_series(1,2)
select * from t, lateral (select t.a + 1 as z) q order by 1, 2, 3
select coalesce(a, 1.5), coalesce(b, 'q'), nullif(a, 1), greatest(a, 2, 1.5), least(a, null) from t order by 1, 2
select case when a > 1 then 'x' else b end, case a when 1 then 1 when 2 then 2.5 end from t order by 1, 2
select date '2020-01-01' + 1, timestamp '2020-01-01 10:00' - interval '1 day', date '2020-03-01' - date '2020-02-01'
select timestamptz '2020-01-01 00:00+00' at time zone 'UTC', extract(year from date '2020-05-05'), date_part('month', date '2020-05-05')
with x as (select 1 as a) select * from x
with x(q) as (select 1 union all select 2), y as (select q + 1 as r from x) select q, r from x join y on r > q order by 1, 2
with recursive r(n) as (select 1 union all select n+1 from r where n < 5) select * from r
with recursive r(n) as (values (1) union select (n * 2) % 7 from r) select * from r order by 1
with recursive r(n) as (select 1 union all select n + 1.5 from r where n < 5) select * from r
select 1 union select 2.5 order by 1
select 1 union all select null union all select 1 order by 1
select 'a' union select null order by 1
select '1' union select 2 order by 1
select a from t except select a from s order by 1
select a from t except all select a from s order by 1
select a from t intersect select a from s order by 1
select a from t intersect all select a from t order by 1
select 1, 2 union select 1
select 1 union select 'a'
select a from t union select a from s order by a + 1
select array(select a from t order by a desc), array[1,2], arr[1], arr[1:2], arr[5] from v where x = 'abc'
select nosuch from t
select t.nosuch from t
select * from nosuch
select nosuch.a from t
select f(1)
select 1 + 'x'
select 'a' + 'b'
select a || b from t
select b || a from t order by 1
select a + b from t
select a, b from t, s
select - 'a'
select not 1
select a from t where a
select a from t where b > 1
select 1 from t where a = '1x'
select distinct on (a) a, b, c from t order by a, b, c desc
select distinct a from t order by a desc
select distinct a from t order by b
select distinct on (b) a from t order by a
select count(distinct a), string_agg(b, ',' order by b desc) filter (where a > 0), count(*) filter (where a is null) from t
select min(a), max(b), avg(a), sum(a), sum(c), avg(c), bool_and(a > 0), array_agg(a order by a) from t
select count(*), count(a), sum(a), max(b), array_agg(a) from t where false
select count(*) from t where false group by a
select a from t where a in (1, 3) order by a
select a from t where a not in (1, 3) order by a
select a from t where a in (1, 2.5, null) order by a
select a from t where b in ('x', 'y') order by a
select a from t where a in (select a from s) order by a
select a from t where a not in (select a from s) order by a
select a from t where (a, b) in (select a, 'x' from s) order by a
select a from t where (a, b) = (1, 'x') order by a
select a from t where (a, c) < (2, 1) order by a
select (1, 2) = (1, null), (1, 2) < (1, null), (1, 2) <> (2, null), row(1, 'a')
select a from t where exists (select 1 from s where s.a = t.a) order by a
select a from t where not exists (select from s where s.a = t.a) order by a
select a, (select max(d) from s where s.a = t.a) from t order by 1, 2
select a, (select d from s where s.a = t.a) from t
select (select a, b from t)
select a = any (array[1,2]), a > all (array[0,1]), a = any ('{1,5}') from t order by 1, 2
select a = any (select a from s), a <> all (select a from s) from t order by 1, 2
select a between 1 and 2, a not between 2 and 3, 2 between symmetric 3 and 1 from t order by 1, 2
select a is null, a is not null, k is true, k is not false, k is unknown from t, v order by 1, 2, 3, 4, 5
select a is distinct from 1, null is not distinct from a from t order by 1, 2
select b like 'x%', b not like '_', b ilike 'X', b similar to '(x|y)', b ~ '^x' from t order by 1, 2, 3, 4
select x, x::text, n::integer, n * 2, f + 1, g + 1, f + g, f * n, n / 3, ch, ch || 'z', k::text from v order by 1
select f = 1.5, g = 1.5, n = 1.23, f > 1, ch = 'ab', x = 'abc' from v order by 1, 2, 3
select 7 / 2, 7 % 3, 7.0 / 2, 2 ^ 3, 5 / 2.0::real, 1::smallint + 1, 1::bigint + 1::int, 2 * 1.5::float8
select 1 / 0
select substring('hello' from 2 for 3), substring('hello', 2), trim(both 'x' from 'xax'), trim('  a '), ltrim('xa', 'x'), position('l' in 'hello'), overlay('hello' placing 'XX' from 2 for 2)
select length('abc'), upper('a'), lower(b), concat('a', 1, null), concat_ws(',', 'a', b) from t order by 3
select round(2.567, 1), round(2.5), abs(-3), ceil(1.2), floor(-1.2), sqrt(4), mod(7, 3), sign(-2.5), trunc(1.99)
select cast('12' as integer), '12'::int8, 12::text, '2020-01-01'::date, 't'::boolean, 1::boolean, '{1,2}'::int[], 'abc'::varchar(2), 1.255::numeric(4,2)
select '1x'::int
select 'abc'::date
select 1::date
select true + 1
select text 'a', int4 '5', float8 '1.5', interval '1 day 2 hours', timestamp '2020-01-01'
select b as "B c", a "A" from t order by "A", "B c"
select t.*, 1 from t where a = 2
select (select count(*) from t) as n, (select 'x')
select count(*) from (select 1 from t) q
select sum(x) from (select a as x from t union all select 10) q
select a.a, b.a from t a join t b on a.a = b.a and a.b <> b.b
select t1.a from t t1, t t2 where t1.a = t2.a and t2.b = 'y'
select t.a from t t, t
select a from t limit -1
select a from t order by 3
select a from t order by a limit '2' offset 1
select a from t limit a
select a from t fetch first row only
select a from t order by a fetch first 2 rows only
table s order by a, d
select * from t order by b desc nulls last, a
select a, b from t order by a + 1, b
select a as b, b as a from t order by b, a
select 1 as x, 2 as x order by x
select a % 2 as p, array_agg(b order by b) from t where a is not null group by p having count(*) > 1 order by p
select grouping from t
select extract(epoch from timestamp '2020-01-01'), extract(day from interval '3 days')
select now() = current_timestamp, current_date = now()::date, current_user is not null, localtimestamp = now()::timestamp
select string_to_array('a,b', ','), array_length(array[1,2,3], 1), array_to_string(array['a','b'], '-'), cardinality('{}'::int[]), array[1,2] || 3, array[1] || array[2]
select jsonb '{"a": [1, {"b": null}]}' -> 'a' -> 0, jsonb '{"a": 1}' ->> 'a', '{"a": {"b": 2}}'::jsonb #>> '{a,b}', '{"a":1}'::jsonb @> '{"a":1}', '{"a":1}'::jsonb ? 'a'
select * from jsonb_each('{"a": 1, "b": "x"}') order by key
select value from jsonb_array_elements('[1, 2]') order by 1
select * from jsonb_array_elements_text('["p", "q"]') with ordinality
select * from string_to_table('a b', ' ') as w
select to_char(date '2020-01-02', 'YYYY/MM/DD'), to_date('2020', 'YYYY'), date_trunc('month', timestamp '2020-05-17 10:00')
select md5('a'), repeat('ab', 2), left('abc', 2), right('abc', -1), split_part('a.b', '.', 2), replace('aXb', 'X', '-'), lpad('7', 3, '0'), initcap('hello world'), reverse('abc')
select b collate "C" from t order by b collate "C"
select a operator(pg_catalog.+) 1 from t order by 1
select pg_catalog.upper('x'), nosuch.upper('x')
select a from t where true and not false or null order by a
select (a > 1) is true from t order by 1
select a::text || '!' from t where a::text = '1'
select all a from t order by a
select max(a) filter (where b = 'x') + 1 from t
select a, count(*) as n, sum(c) / count(*) from t group by a order by n desc, a
select (array[10,20,30])[2], (array[10,20,30])[2:], ('{1,2}'::int[])[1]
select array[]
select array[]::int[], array[null, 1], array['a', null], array[1, 2.5]
select exists (select 1 where false), not exists (select 1)
select 1 where 2 > 1
select from t where a = 2
select 1 as "select", 2 as order_
select unnest(array[1,2]) + 10
select unnest(arr), x from v order by 1
select unnest(arr) as u, count(*) from v group by u order by 1
select generate_series(1, a) from t where a > 1 order by 1
select generate_series('2020-01-01'::timestamp, '2020-01-03', '1 day')
select * from generate_series(1, 2) a, generate_series(a, 3) b order by 1, 2
select q.m from (select max(a) as m from t) q
select a from (select a, row(1) from t) q order by 1
select * from (select 1 as a, 2 as a) q
select a from (select 1 as a, 2 as a) q
select * from t join s on t.a = s.a and s.d > '2020-06-01'
select * from t join s using (nosuch)
select t.a from t join s using (a) order by 1
select a from t join s using (a) order by 1
select a from t join s on t.a = s.a
select s.a, count(t.c) from s left join t on t.a = s.a group by s.a order by 1
select (select s.a from s where s.a = t.a limit 1) + 1 from t order by 1
select a from t where c = (select max(c) from t)
select (select sum(t.a + s.a) from s) from t order by 1
select (select sum(t.a)) from t
select t.a, u.x from t, unnest(array[t.a, t.a * 10]) u(x) where t.a > 1 order by 1, 2
select t.a, q.n from t left join lateral (select count(*) as n from s where s.a = t.a) q on true order by 1, 2
select x from (select 'unknown' as x) q where x = 'unknown'
select 'a' || 'b', 'a' || 1, 1 || 'b'
select interval '1 day' * 2, interval '1 month' + date '2020-01-31', 2 * interval '1 hour'
select '2020-01-01'::date < '2020-01-02', date '2020-01-01' = timestamp '2020-01-01', now() > '2000-01-01'
select a from t where d = '2020-01-01'
select 10 > 9.5, 'a' < 'b', 1 = 1.0, '1' = 1, 2::smallint = 2::bigint
select true = 't', true > false, true and 'f'
select 1 = 'a'
select 'x'::nosuch
select cast(1 as numeric(2000))
select length(1)
select sum('1')
select max(null)
select coalesce(1, 'x')
select case when 1 then 2 end
select case when true then 1 else 'x' end
select * from t where a = 1 and
select a b c from t
select 'é' || nosuch
select * from (select 1)
select * from (values (1,2),(3)) x
select a, a from t group by a order by a
select (t).a from t order by 1
select t1.* from t t1 where t1.a = 2
select sum(a), b from t group by b order by sum(a) nulls first, b
select b, sum(a) from t group by b order by 2 desc nulls last, b
select sum(a) as s from t group by b order by s nulls first
select count(*) c from t group by b having c > 1
select upper(b) as u, count(*) from t group by upper(b) order by u
select upper(b) || 'x' from t group by upper(b) order by 1
select string_agg(b, '') from t where a = 1
select json_agg(a order by a) from t
select a, lag(a) from t
select '{"a":1}'::json ->> 'a', to_jsonb(1), jsonb_build_object('a', 1)
select gen_random_uuid() is not null, random() < 1
select '12345678-1234-1234-1234-123456789012'::uuid
select '\x01ff'::bytea, encode('\x01ff'::bytea, 'hex'), length('\x0102'::bytea)
select quote_ident('a b'), quote_literal('it''s'), format('%s-%I-%L', 'a', 'B', 'c')
select regexp_replace('abc', 'b', 'x'), regexp_match('abc', '(b)(c)'), 'abc' ~* 'B'
select current_catalog = current_database(), session_user = current_user, current_schema
select a from t for update
select interval '1' year, interval '1:30' hour to minute, timestamp(0) '2020-01-01 10:00:00.6'
select numeric '1.50' + 0, 1.10, 0.1 + 0.2, 1e-3, 3.0 * 2
select every(a > 0), bool_or(a > 2), bit_or(a) from t
select count(*) filter (where a > 1), sum(a) filter (where b is null) from t
select x::varchar(2), x::char(5) || '|', n::numeric(3,1), 'abc'::char from v where x = 'abc'
select array_agg(distinct a) from t
select array_agg(x order by x desc) from (values ('b'),('a')) q(x)
select string_agg(distinct b, ',' order by b) from t
select string_agg(distinct b, ',' order by a) from t
select (select a from t where b = 'y'), (select a from t where false)
select s.* , t.b from s join t on s.a = t.a where t.b is not null order by s.d
select a from t order by (select max(s.a) from s where s.a = t.a) nulls first, a
select a from t group by a having a > (select min(a) from s) order by a
select case when exists (select 1 from s where s.a = t.a) then 'yes' else 'no' end from t order by 1
select q.* from (select a, count(*) as n from t group by a) q where n > 1
select a, b from t where (a > 1) = (b = 'y')
select a from t where not a = 1 or a is null order by a
select sum(a) / count(a), sum(a) * 1.0 / count(a), avg(a)::numeric(10,2) from t
select min(d), max(e), count(distinct d) from s
select d + interval '1 month', d - 1, e - interval '1 hour', age(d, date '2019-01-01') from s where d is not null order by d
select extract(month from d), date_trunc('year', e) from s order by 1, 2
select a % 2 = 0, -a, +a, a ^ 2, @ a from t where a = 2
select a & 1, a | 4, a # 1, ~a, a << 1, a >> 1 from t where a = 3
select b || null, null || b, 'x' || 1.5 || true from t where a = 2
select not null, null and true, null or true, null = null
select coalesce(null, null), nullif('a', 'b'), greatest('a', 'b'), least(1, null, 2.5)
select coalesce(a, 'x') from t
select 'now'::text, length(b) from t where b is not null order by 2
select * from t where b in ('x', null) order by a
select * from t where a = any (array(select a from s)) and b is not null
select unnest(array['a','b']) as u, generate_series(1,2) as g order by 1, 2
select jsonb_object_keys('{"a":1,"b":2}') order by 1
select * from jsonb_each_text('{"a":1}') as e(k, v)
select (jsonb_each('{"a":1}')).key
select t.a from t where t.a in (select s.a from s where s.a = t.a union select 2) order by 1
select * from (select a from t order by a limit 2) q order by a desc
select (select count(*) from t q where q.a <= t.a) as rank, a from t where a is not null order by rank, a
select a from ((select a from t) union (select a from s)) q order by 1
(select a from t order by a desc limit 1) union all (select 100) order by 1
select 1 from (select 1) q, (select 2) q
select t.a as a, s.a as a from t, s where t.a = s.a and s.d is null
select a.b from (select row(1, 2)) a(b)
select d.* from (values (1, 'x'), (2, 'y')) as d(id, name) where d.id > 1
select max(length(b)), upper(max(b)) from t
select b from t where b >= 'y' order by b
select sum(case when a > 1 then 1 else 0 end), count(case when a > 1 then 1 end) from t
select round(avg(c), 2), sum(c * 2), min(c) + 1 from t
select now() - now(), current_date - current_date, interval '1 day' > interval '23 hours'
select '2020-01-01 10:00+02'::timestamptz, '10:30'::time, time '10:00' + interval '1 hour', '1 day'::interval
select to_timestamp(0), make_date(2020, 1, 2), date '2020-01-01' + time '10:00'
select 9223372036854775807 + 1
select 2147483647 + 1
select 32767::smallint + 1::smallint
select cast(1e10 as int)
select '1.5'::int
select 1.5::int, 2.5::int, (-1.5)::int, 1.5::float8::int, 2.5::float8::int
select 'a'::"char", 'abc'::name, 5::oid, '5'::oid::int
select 1 in (1, 2), 1 not in (1, null), null in (1)
select (values (1))
select a from t where a between symmetric 2 and 1 order by a
select count(*), count(distinct b), count(distinct (a, b)) from t
select row(a, b) from t where a = 2
select row(1, 2) = row(1, 2), (1, 'a') in ((1, 'a'), (2, 'b'))
select g.n, t.a from generate_series(1, 2) as g(n) left join t on t.a = g.n order by 1, 2
select * from t cross join (values (1)) q(z) where a = 2
select * from s full join (select 3 as a, 'k' as k) q using (a) order by 1, 2, 3
select t.b from t join s using (a) join v on v.x is not null and s.d is not null order by 1
select q.a, s.a, s.d from (t as q join s on q.a = s.a) order by 1, 2, 3
select j.a, j.d from (t join s using (a)) j order by 1, 2
select a from t where a > 0 and 1 / (a - 1) > 0
select case when a = 1 then 0 else 1 / (a - 1) end from t order by 1
with a as (select 1 as x), b as (select x + 1 as y from a) select (select y from b) + x from a
with t as (select 42 as a) select a from t
with recursive tree(id, path) as (select 1, '1' union all select id + 1, path || '.' || (id + 1) from tree where id < 3) select * from tree
with recursive f(a, b) as (select 0, 1 union all select b, a + b from f where b < 20) select max(a) from f
select 1 limit null
select a from t offset 3 rows fetch next 1 row only
select a from t order by a using >
select t.a from t order by s.a
select b from t group by b order by count(*) desc, b nulls last
select distinct b, a + 1 from t order by a + 1, b
select b as x from t order by x || 'z'
select pg_catalog.lower('A') like 'a', 'a' like 'A' escape 'x', 'a_c' like 'a\_c'
select 'abc' ~ 'b', 'abc' !~ 'b', 'ABC' ~* 'b', 'abc' !~* 'B'
select substring('abcdef' from 'c.e'), substring('abc' similar 'a#"b#"c' escape '#')
select trim(leading 'x' from 'xxa'), trim(trailing from 'a  '), btrim('xax', 'x')
select overlaps.x from (select (date '2020-01-01', date '2020-02-01') overlaps (date '2020-01-15', date '2020-03-01') as x) overlaps
select current_timestamp(0) is not null, localtime is not null
select sum(a) sum, b "sum b" from t group by 2 order by 2
select a from t where b = 'x'::varchar(5)
select ch = 'ab  ', ch like 'ab%', length(ch), ch || '|', ch::text || '|' from v where x = 'abc'
select x < 'b', x || ch, lower(x), max(x) from v group by x, ch order by 1
select abs(n), round(n), n::text, n + 1, n * n, -n from v order by 1
select f / 3, g / 3, f::numeric, g::text, f::int from v where f > 0
select k and true, not k, k::int, count(*) filter (where k) from v group by k order by 3
select arr, arr || 4, array_length(arr, 1), arr[2:3], 2 = any(arr), arr @> array[1], array_position(arr, 2) from v where x = 'abc'
select cardinality(arr), arr = array[1,2,3], arr < array[2], array_remove(arr, 1) from v where x = 'abc'
select avg(g), sum(f), stddev_pop(g) from v
select exists (values (1)), array(values (1), (2))
select (jsonb_each('{"a":1}')).*
select (jsonb_each('{"a":1, "b":2}')).key || 'x' order by 1
select max(a) from t group by ()
select a from t group by ()
select count(*) from t where false group by ()
select * from rows from (generate_series(1,2), generate_series(1,3)) as r(a,b)
select t.a as x from t group by x order by x
select a as b from t group by b
select a from t where a in (values (1), (2)) order by a
select xmin from nosuch
select * from t join (s join v on s.a = v.n::int) on t.a = s.a
select a from t where a = (select 1 union select 2)
select (select 1 limit 0)
select * from (select a, b from t union all select a, 'k' from s) q where b = 'k' order by a
select t.b, q.d from t left join (select a, max(d) as d from s group by a) q on q.a = t.a order by 1, 2
select t.a from t where exists (select 1 from s where s.a = t.a and exists (select 1 from t u where u.a = s.a and u.b is null))
select a, (select count(*) from s where s.a = t.a or s.d is null) from t order by 1, 2
select sum(n) from (select distinct a as n from t) q
select case when count(*) > 0 then max(a) end from t
select a + (select min(a) from s) as k, count(*) from t group by k order by k
select a, row_number() over (order by a, b, c) from t order by 1, 2
select a, rank() over (order by a), dense_rank() over (order by a), percent_rank() over (order by a), cume_dist() over (order by a) from t order by 1, 2
select a, rank() over (order by a desc nulls last), dense_rank() over (order by a nulls first) from t order by 1, 2, 3
select a, b, sum(a) over (partition by b), count(*) over (partition by b) from t order by 1, 2
select a, sum(a) over (), avg(a) over (), min(b) over (), max(c) over () from t order by 1
select a, sum(a) over (order by a), count(a) over (order by a), count(*) over (order by a) from t order by 1
select x, sum(x) over (order by x rows between 1 preceding and 1 following) from generate_series(1,5) x
select x, sum(x) over (order by x rows 2 preceding) from generate_series(1,5) x
select x, sum(x) over (order by x rows between unbounded preceding and unbounded following) from generate_series(1,5) x
select x, sum(x) over (order by x rows between 2 following and 3 following) from generate_series(1,5) x
select x, sum(x) over (order by x rows between 3 preceding and 2 preceding), count(x) over (order by x rows between 2 preceding and 3 preceding) from generate_series(1,5) x
select x, sum(x) over (order by x rows between current row and unbounded following exclude current row) from generate_series(1,5) x
select x/2 y, count(*) over (order by x/2 groups between 1 preceding and current row), sum(x) over (order by x/2 groups between 1 following and 2 following) from generate_series(1,7) x order by x
select x/2 y, count(*) over (order by x/2 groups between 1 preceding and 1 following exclude ties), count(*) over (order by x/2 groups between 1 preceding and 1 following exclude group) from generate_series(1,7) x order by x
select x/2 y, sum(x) over (order by x/2 range between 1 preceding and 1 following), sum(x) over (order by x/2 desc range between 1 preceding and current row) from generate_series(1,7) x order by x
select x/2 y, array_agg(x) over (order by x/2 rows between unbounded preceding and current row exclude current row) from generate_series(1,4) x order by x
select a, sum(a) over (order by a range between 1 preceding and 1 following) from t order by 1
select a, sum(a) over (order by a nulls first range between 1 preceding and 1 following), count(*) over (order by a nulls first range between 1 preceding and unbounded following) from t order by 1
select a, count(*) over (order by a range between unbounded preceding and 1 preceding), count(*) over (order by a range between 1 following and unbounded following) from t order by 1, 2
select c, count(*) over (order by c range between 1.5 preceding and 0.5 following) from t order by 1
select g, count(*) over (order by g range between 1 preceding and 1.5 following) from v order by 1
select g, count(*) over (order by g range between 'infinity' preceding and 'infinity' following) from (values ('-infinity'::float8), (1), ('infinity'), ('nan'), (null)) q(g) order by 1
select f, count(*) over (order by f range between 1 preceding and 1 following) from v order by 1
select d, count(*) over (order by d range between '1 year' preceding and current row) from s order by 1
select d, count(*) over (order by d desc range between '1 year' preceding and current row) from s order by 1
select e, count(*) over (order by e range between interval '3 years' preceding and '1 day' following) from s order by 1
select i, count(*) over (order by i range between '1 hour' preceding and '1 hour' following) from (values (interval '1 hour'), ('2 hours'), ('1 day'), (null)) q(i) order by 1
select x, lag(x) over (order by x), lead(x) over (order by x), lag(x, 2) over (order by x), lead(x, 2, 0) over (order by x), lag(x, -1) over (order by x), lag(x, 0) over (order by x) from generate_series(1,4) x
select x, lag(x, 1, -x) over (order by x), lag(x, null) over (order by x), lag(x, 1, 1.5) over (order by x) from generate_series(1,3) x
select x, lag(x, x) over (order by x) from generate_series(1,4) x
select x, first_value(x) over w, last_value(x) over w, nth_value(x, 2) over w from generate_series(1,4) x window w as (order by x)
select x, first_value(x) over w, last_value(x) over w, nth_value(x, 3) over w from generate_series(1,4) x window w as (order by x rows between 1 preceding and 2 following exclude current row)
select x, last_value(x) over (order by x rows between unbounded preceding and unbounded following) from generate_series(1,3) x
select x, ntile(3) over (order by x), ntile(10) over (order by x), ntile(null) over (order by x) from generate_series(1,7) x
select ntile(0) over (order by x) from generate_series(1,7) x
select ntile(0) over (order by x) from generate_series(1,0) x
select nth_value(x, 0) over (order by x) from generate_series(1,7) x
select sum(x) over w, sum(x) over (w order by x rows 1 preceding), count(*) over (w order by x desc) from generate_series(1,3) x window w as (partition by x % 2) order by x
select sum(x) over w2 from generate_series(1,4) x window w as (partition by x % 2), w2 as (w order by x) order by x
select sum(x) over w from generate_series(1,4) x
select sum(x) over (w) from generate_series(1,4) x
select sum(x) over w from generate_series(1,4) x window w as (order by x), w as (order by x)
select sum(x) over (w partition by x) from generate_series(1,4) x window w as (order by x)
select sum(x) over (w order by x) from generate_series(1,4) x window w as (order by x)
select sum(x) over (w) from generate_series(1,4) x window w as (order by x rows 1 preceding)
select sum(x) over (w rows 2 preceding) from generate_series(1,4) x window w as (order by x rows 1 preceding)
select sum(x) over w2 from generate_series(1,4) x window w2 as (w), w as (order by x)
select a, count(*), sum(count(*)) over (order by a), rank() over (order by count(*) desc) from t group by a order by a
select b, sum(a), sum(sum(a)) over (), row_number() over (order by sum(a) desc nulls last, b) from t group by b having count(*) > 0 order by b
select a + 1, sum(a + 1) over (order by a + 1) from t group by a + 1 order by 1
select b, rank() over (order by a) from t group by b
select b, sum(b) over () from t
select a from t where row_number() over () = 1
select a from t group by a having row_number() over () = 1
select a from t group by row_number() over ()
select row_number() over () as n from t group by n
select sum(row_number() over ()) from t
select sum(sum(a) over ()) over () from t
select row_number() over (order by row_number() over ()) from t
select a from t limit row_number() over ()
select * from t join s on row_number() over () = 1
select * from generate_series(1, row_number() over ()) x
select a, sum(a) filter (where a > 1) over (order by a) from t order by 1
select a, count(*) filter (where b is not null) over (partition by a) from t order by 1
select row_number() filter (where a > 1) over () from t
select sum(distinct a) over () from t
select array_agg(a order by a) over () from t
select lower(b) over () from t
select nosuch(b) over () from t
select row_number() from t
select lag() over () from t
select count() over () from t
select row_number() over (rows 1 preceding) from t
select sum(a) over (order by a groups 1 preceding) from t order by a
select sum(a) over (groups 1 preceding) from t
select sum(a) over (range 1 preceding) from t
select sum(a) over (order by a, b range 1 preceding) from t
select sum(a) over (order by b range 1 preceding) from t
select sum(a) over (order by a range 'x' preceding) from t
select sum(a) over (order by a range '1 day'::interval preceding) from t
select sum(a) over (order by a range 1.5 preceding) from t
select sum(a) over (order by a rows 1.5 preceding) from t
select sum(a) over (order by a rows 'x' preceding) from t
select sum(a) over (order by a rows a preceding) from t
select sum(a) over (order by a rows count(*) preceding) from t
select sum(a) over (order by a rows -1 preceding) from t
select sum(a) over (order by a rows null preceding) from t
select sum(a) over (order by a rows between current row and -1 following) from t
select sum(a) over (order by a range -1 preceding) from t
select sum(a) over (order by a range null::integer preceding) from t
select sum(a) over (order by d range '-1 day' preceding) from s
select sum(a) over (order by a rows between unbounded following and current row) from t
select sum(a) over (order by a rows between current row and unbounded preceding) from t
select sum(a) over (order by a rows between current row and 1 preceding) from t
select sum(a) over (order by a rows between 1 following and current row) from t
select a from t order by row_number() over (order by a desc, b, c)
select distinct dense_rank() over (order by a) from t order by 1
select distinct on (rank() over (order by a)) a from t order by rank() over (order by a), a
select * from (select a, row_number() over (partition by a order by b, c) n from t) q where n = 1 order by a
select a, (select sum(x) over (order by x) from generate_series(1, t.a) x order by 1 desc limit 1) from t order by 1
select a, (select sum(t.a + x) over () from generate_series(1, 2) x limit 1) from t order by 1
select a, n from t, lateral (select row_number() over (order by s.d) n, s.a sa from s where s.a = t.a) q order by 1, 2
select generate_series(1, row_number() over (order by x)) from generate_series(1,3) x order by 1
select lag(generate_series(1,2)) over () from t
select rank() over w, sum(x) over w from (values (1), (1), (2)) q(x) window w as (order by x) order by 1
select string_agg(b, ',') over (order by b) from t order by b
select b, lag(b) over (order by b), lead(b, 1, 'none') over (order by b), first_value(b) over (order by b desc) from t order by b, 2 nulls first
select round(avg(c) over (order by c, b, g rows 1 preceding), 4), sum(g) over (order by g) from t, v order by c, b, g, 1, 2
select a, sum(1) over (partition by a order by b range between unbounded preceding and current row exclude ties) from t order by 1, 2
select count(*) over (partition by 1 order by 2) from t
select first_value('x') over () from t
select lag(a, 1, 'x') over () from t
select lag(a, 1, '7') over (order by a) from t order by 1
select sum(sum(a)) over () from t
select count(*) over () from t where false
select count(*) over (), 1 from t group by () having false
select a, a = any (array_agg(a) over ()) from t order by 1
with w as (select a, sum(a) over (partition by b order by a) s from t) select s, count(*) from w group by s order by s
select row_number() over (order by x desc) + 1 n from generate_series(1,3) x union all select 9 order by n
select a, b, count(*), grouping(a), grouping(b), grouping(a, b) from t group by grouping sets ((a), (b), ()) order by 1, 2, 3
select a, b, sum(c) from t group by rollup (a, b) order by 1, 2, 3
select a, b, sum(c), grouping(a, b) from t group by cube (a, b) order by 1, 2, 4
select a, count(*) from t group by grouping sets (a, ()) order by 1, 2
select a, b, count(*) from t group by a, grouping sets (b, ()) order by 1, 2, 3
select a, b, count(*) from t group by rollup (a), rollup (b) order by 1, 2, 3
select a, b, count(*) from t group by grouping sets (rollup (a, b), cube (a)) order by 1, 2, 3
select a, b, c, count(*) from t group by rollup ((a, b), c) order by 1, 2, 3, 4
select count(*) from t group by grouping sets ((), ()) order by 1
select count(*) from t where false group by grouping sets ((), (a)) order by 1
select a, count(*) from t where false group by rollup (a) order by 1
select a, a is null, count(*) from t group by rollup (a) order by 1, 2, 3
select coalesce(b, 'all') x, count(*) from t group by rollup (b) order by 1, 2
select a + 1, count(*) from t group by rollup (a + 1) order by 1, 2
select a, count(*) from t group by rollup (a) having grouping(a) = 0 order by 1
select a, count(*) from t group by rollup (a) having count(*) > 1 order by 1, 2
select a, sum(count(*)) over (order by a, grouping(a)) from t group by rollup (a) order by 1, 2
select a, count(*) from t group by rollup (a) order by grouping(a) desc, a
select case when grouping(a) = 1 then 'total' else a::text end k, count(*) from t group by rollup (a) order by 1, 2
select a, count(*) from t group by rollup (1) order by 1, 2
select a as k, count(*) from t group by rollup (k) order by 1, 2
select grouping(a) from t group by a order by 1
select grouping(a) from t
select grouping(b) from t group by a
select grouping(a, b) from t group by rollup (a)
select a from t where grouping(a) = 0 group by a
select a, grouping(a + 0) from t group by rollup (a)
select sum(grouping(a)) from t group by a
select a, b from t group by rollup (a)
select a, (select b) from t group by rollup (a)
select a, (select grouping(t.a)) from t group by rollup (a) order by 1, 2
select a, (select max(s.a) from s where s.a = t.a) from t group by rollup (a) order by 1, 2
select distinct grouping(a) from t group by rollup (a) order by 1
select a, array_agg(b order by b) from t group by rollup (a) order by 1, 2
select a, count(distinct b), sum(c) filter (where c > 1.5) from t group by cube (a) order by 1, 2, 3
select 1 from t group by grouping sets (())
select a, count(*) from t group by distinct rollup (a), rollup (a) order by 1, 2
select a, count(*) from t group by rollup (a), rollup (a) order by 1, 2
select a, b, count(*) from t group by distinct a, cube (a, b) order by 1, 2, 3
select a, count(*) from t group by (), a order by 1
select t.a, d, count(*) from t join s using (a) group by cube (a, d) order by 1, 2
select a from t group by cube (a, sum(a))
select a, generate_series(1, 2) from t group by rollup (a) order by 1, 2
select a, b from t group by grouping sets ((a, b), (a)) order by 1, 2
select k, count(*) from (select a k from t) q group by rollup (k) order by 1, 2
select grouping(a)::text || b, count(*) from t group by cube (a, b) order by 1, 2
select * from (select a, count(*) n from t group by rollup (a)) q where a is null order by n
select percentile_cont(0.5) within group (order by a), percentile_cont(0.25) within group (order by c), percentile_cont(0) within group (order by a desc) from t
select percentile_cont(array[0, 0.5, null, 1]) within group (order by a) from t
select percentile_disc(0.5) within group (order by a), percentile_disc(0.5) within group (order by b), percentile_disc(0) within group (order by c desc) from t
select percentile_disc(array[0.1, 0.9]) within group (order by b) from t
select b, percentile_cont(0.5) within group (order by a) from t group by b order by b
select percentile_cont(0.5) within group (order by i) from (values (interval '1 hour'), ('2 days')) q(i)
select mode() within group (order by a), mode() within group (order by a desc), mode() within group (order by b) from t
select mode() within group (order by a) from t where false
select percentile_cont(1.5) within group (order by a) from t
select percentile_cont(null) within group (order by a) from t
select percentile_cont(a) within group (order by c) from t
select a, percentile_cont(a / 10.0) within group (order by c) from t group by a order by a
select percentile_cont(0.5) within group (order by a) filter (where a > 1) from t
select percentile_cont(0.5) within group (order by b) from t
select percentile_cont(0.5) within group (order by a, b) from t
select percentile_cont(0.5, 1) within group (order by a) from t
select percentile_cont(0.5) from t
select mode(a) from t
select sum(a) within group (order by a) from t
select string_agg(b) within group (order by b) from t
select percentile_cont(0.5) within group (order by a) over () from t
select rank() within group (order by a) over () from t
select rank(a) over () from t
select rank(1) from t
select rank(2) within group (order by a), dense_rank(2) within group (order by a), percent_rank(2) within group (order by a), cume_dist(2) within group (order by a) from t
select rank(2) within group (order by a desc), dense_rank(null) within group (order by a), rank(null) within group (order by a nulls first), dense_rank(7) within group (order by a nulls first) from t
select rank(2, 'y') within group (order by a, b), dense_rank(3, 'a') within group (order by a, b desc), cume_dist(1, 'x') within group (order by a, b) from t
select rank(1) within group (order by a), percent_rank(1) within group (order by a), cume_dist(1) within group (order by a), dense_rank(1) within group (order by a) from t where false
select rank(1.5) within group (order by a) from t
select rank('y') within group (order by b) from t
select rank('x') within group (order by a) from t
select rank(1, 2) within group (order by a) from t
select b, rank(2) within group (order by a) from t group by b order by b
select rank(a) within group (order by a) from t
select a, rank(a) within group (order by c) from t group by a order by a
select rank(sum(a)) within group (order by a) from t
select rank(2) within group (order by a) filter (where b = 'x') from t
select a from t where percentile_cont(0.5) within group (order by a) > 1
select percentile_disc(0.5) within group (order by d), percentile_disc(0.5) within group (order by e) from s
select a, percentile_disc(0.5) within group (order by c), grouping(a) from t group by rollup (a) order by 3, 1
select (select percentile_disc(0.5) within group (order by s.a) from s where s.a = t.a) from t order by 1
select a from t order by a fetch first 2 rows with ties
select a from t order by a nulls first fetch first 2 rows with ties
select a from t order by a offset 1 fetch next 1 rows with ties
select a, b from t order by a desc fetch first 3 rows with ties
select * from (select a from t order by a fetch first 1 rows with ties) q
select a from t order by a fetch first 0 rows with ties
values (1), (1), (2) order by 1 fetch first 1 rows with ties
select a from t order by a fetch first -1 rows with ties
select a from t order by a offset 3 fetch first 0 rows with ties
select a from t order by a offset 1 fetch first 2 rows with ties
select distinct a from t order by a fetch first 1 rows with ties
select a from t union all select a from s order by a fetch first 1 rows with ties
select a from t order by a fetch first (null) rows with ties
select (select a from t order by a desc nulls last fetch first 1 rows with ties)
select a from t order by a offset null fetch first 1 rows with ties
select distinct on (a) a, b from t order by b
select case when a > 1 then generate_series(1,2) end from t
select coalesce(generate_series(1,2), 1)
select (a, b) = (select a, b from t where a = 2) from t order by 1
select (a, b) = (select a, b from t) from t order by 1
select (a, b) < (select a, b from t where a = 2) from t order by 1
select (a, b) = (select a from t limit 1) from t order by 1
select (1, 2) = (select 1, 2 where false)
select (1, 2) = (select 1, 2, 3)
select row(t.*) from t order by 1
select row(t.*, 1) from t order by 1
select row(t.*) = row(1, 'x', 1.5) from t order by 1
select (a, b) in (select a, b from t) from t order by 1
select * from t where (a, b) = (select max(a), 'z' from t)
table t
table t order by a limit 1
(table t) union all (table t) order by 1, 2, 3
select a from t order by a fetch first row only
select distinct on (a) a, b from t order by a, b desc
select distinct on (a, b) * from t order by b, a, c
select distinct on (1) a, b from t order by 1, 2
select distinct on (a) a from t order by a limit 2
select * from rows from (generate_series(1,3), generate_series(10,11)) as r(a, b)
select * from rows from (generate_series(1,3), generate_series(10,11)) with ordinality as r(a, b, n)
select * from rows from (generate_series(1,2), unnest(array['a','b','c'])) as r
select * from generate_series(1,3) with ordinality
select * from generate_series(1,3) with ordinality as g(x, n)
select * from unnest(array[1,2], array['a','b','c']) with ordinality as u(a, b, n)
select n, x from unnest(array['a','b']) with ordinality as u(x, n) where n > 1
select * from t, generate_series(1, t.a) g order by 1, 2, 3, 4
select * from t left join lateral generate_series(1, t.a) g on g > 1 order by 1, 2, 3, 4
select * from t left join lateral (select s.d from s where s.a = t.a) q on true order by 1, 2, 3, 4
select * from t, lateral (select t.a + 1) q(z) order by 1, 2, 3
select generate_series(1,3), unnest(array['a','b']), 5
select generate_series(1, generate_series(1,3))
select a, generate_series(1,2) from t order by 1, 2
select generate_series(1,2) + generate_series(1,3)
select (generate_series(1,2)), array[generate_series(5,7)]
select count(*), generate_series(1,2) from t
select generate_series(1, count(*)) from t
select distinct generate_series(1,2) from t order by 1
select generate_series(1,3) limit 2
select a from t where generate_series(1,2) = 1
select row(1,2) < row(1,3), row(1,null) < row(1,3), row(1,null) < row(2,3), (1,2) = (1,2), (1,2) <> (1,3)
select row(1,2) is distinct from row(1,2), row(1,null) is not distinct from row(1,null)
select (1,2) < (1,2,3)
select row(1,2) in (row(1,2), row(3,4)), (1,2) in ((1,3))
select row(a, b) = any (select a, b from t) from t order by 1
select row(a, b) <> all (select a, b from t where a is not null) from t order by 1
select row(1, 2) >= all (select a, a from t where a is not null)
select (1, 2) < any (select a, a from t)
select a = any (array[1,2]), a <> all (array[1,2]), a < any ('{1,5}') from t order by 1, 2, 3
select a = any (array[1,null]), a <> all (array[1,null]) from t order by 1, 2
select a = any (null::int[]), a = all ('{}') from t order by 1
select a > all (select a from s) from t order by 1
select a = some (select a from s) from t order by 1
select b like any (array['x%', 'y%']) from t order by 1
select a in (1, 2, null) from t order by 1
select a not in (1, null) from t order by 1
select a between symmetric 3 and 1 from t order by 1
select array(select a from t order by a)
select array(select b from t order by b desc nulls first)
select (t.*).b from t order by 1
select row(1,'x') = row(1,'x'), row(1) = row(1)
select exists (table t), not exists (select 1 from t where false)
select (select a from t where a = 2) + 1
select (select a from t)
select (select a, b from t limit 1)
select 1 = (select 1), 2 > any (values (1), (3))
select * from (values (1, 'a'), (2, 'b')) v
select * from (values (1, 'a'), (2, 'b')) v (x, y) where x > 1
select t.*, s.* from t join s on t.a = s.a order by 1, 2, 3, 4, 5, 6
select a from t union select a from s order by a nulls first
select a from t intersect all select a from s order by 1
select * from t as x (p, q) order by 1, 2
select x.p from t as x (p, q) order by 1
select * from t natural join (select a, b as bb from t) z order by 1, 2, 3, 4
select * from t join s using (a) as k where k.a > 0 order by 1, 2
select k.* from t join s using (a) as k order by 1
select * from t cross join s order by 1, 2, 3, 4, 5, 6 limit 3
select a, array_agg(b) from t group by a having count(b) > 0 order by 1
select string_agg(b, ',' order by b desc) from t
select max(a) filter (where b = 'x') from t
select 1 as "A b", 2 "c"
select all a from t order by 1
select a as order from t
select a "order" from t order by "order"
with recursive r(n) as (values (1) union all select n + 1 from r where n < 5) select * from r order by 1
with recursive r as (select 1 as n union select n % 3 + 1 from r) select * from r order by 1
with a as materialized (select 1 x), b as not materialized (select x + 1 y from a) select * from a, b
with a(x) as (select 1, 2) select * from a
with a as (select 1), a as (select 2) select 1
with x as (select a from t) select * from x where a > (select min(a) from x) order by 1
select * from t where (a, b) is null
select (1, null) is null, (null, null) is null, (1, 2) is not null, (1, null) is not null
select k is true, k is not false, k is unknown from v order by 1, 2, 3
select nullif(a, 1), greatest(a, 2, null), least(b, 'b') from t order by 1, 2, 3
select overlay('abc' placing 'x' from 2), position('b' in 'abc'), substring('abc' from 2 for 1), trim(both 'x' from 'xax'), extract(year from date '2020-01-01')
select cast(1 as text), '1'::int, int '5'
select (date '2020-01-01', date '2020-02-01') overlaps (date '2020-01-15', interval '1 month')
select 1 where exists (select) 
select
select from t
select count(*) from (select from t) q
select * from t for update
select a from t order by b using >
select a, g from t, (select t.a as g) ss
select * from t, (select c as g) ss
select bb from t
select t.bb from t
select tt.b from t
select u.bb from t as u
select nothing_like_it from t
select z from t, s
select * from (t join s on t.a = s.a) as x where t.b = 'x'
select * from (t cross join s) as x (a, b, c, d, e, f, g)
select * from t x join (select a from t) y using (a) as x
select (select count(max(t.a)) from s) from t
select (select max(s.a) filter (where sum(t.a) > 0) from s) from t
select nope(distinct a) from t
select nope(a order by a) from t
select nope(*) from t
select nope(a) filter (where true) from t
select nope(1) within group (order by a) from t
select upper(distinct b) from t
select upper(*) from t
select sum(6 / (a - 1)) filter (where a > 1) from t
select b, count(distinct 6 / (a - 1)) filter (where a > 1) from t group by b order by b
select sum(6 / (a - 1)) filter (where a > 1) over (partition by b) from t order by 1
select string_agg(distinct x, ',' order by x desc) from v
select string_agg(distinct x, ',' order by x::text desc) from v
select 1 from t, lateral (select max(t.a) from s) ss
select * from (values (0), (1)) v(id), lateral (select * from t, lateral (select * from (select t.a + v.id as k) i) j) k order by 1, 2, 3, 4
select (select t.a + (select v.id)) from t, (values (1)) v(id) order by 1
select 1 from t group by (select count(t.a))
select rank((select t.a)) within group (order by c), a from t group by rollup(a) order by 2
select percentile_cont(case when a > 1 then 0.5 else 0.2 end) within group (order by c), a from t group by grouping sets ((a), (a, b)) order by 2, 1
select a, generate_series(1,3) in (select 2) from t
select (generate_series(1,3), 1) in (select 2, 1)
select (1, generate_series(1,3)) = (select 2, 1)
select (1, generate_series(1,3)) < (1, 2)
select (1, generate_series(1,3)) is distinct from (1, 2)
select a, row_number() over (order by a, b) in (select 2) from t order by 1, 2
select count(*) in (select a from t) from t group by a order by 1
select generate_series(1, generate_series(1, generate_series(1, 2)))
select generate_series(1, generate_series(1, 2)), generate_series(1, 2), count(*) from t group by 2 order by 1, 2
select (json_each(('[{"a":1},{"b":2,"c":3}]'::json)->generate_series(0, 1))).*
select greatest(1, 1.5, 2.7), least(1.5, 0.001), greatest(1.50, 2.5), least(2.50, 1)
select lag(x, 1, 0.123) over () from (values (1.5)) v(x)
with recursive r(n) as (select 1.00 union all select n * 1.10 from r where n < 1.3) select * from r
with recursive r(n) as (select 0::numeric union all select n + 1.5 from r where n < 4) select * from r
with recursive r(n, i) as (select 1.0, 1 union all select null, i + 1 from r where i < 3) select n from r
select 1.50 as a union all select 2.25 order by 1
select 1.50 as a union all select 2.5 order by 1
values (1.50), (null)
values (1.50), (2.5)
select nullif(1.50, 2.5), coalesce(null, 1.50), case when true then 1.50 else 2.25 end
select * from (values (row(1.50))) v(x) full join (values (row(1.5))) w(x) using (x) where false
