t: insert into t values (9, 'q', 1.25)
t: insert into t values (9)
t: insert into t (c, a) values ('2.5', '7')
t: insert into t (b) values (default), ('z')
t: insert into t default values
t: insert into t select a, d::text, a * 2 from s
t: insert into t select '5', 'x', '1.5'
t: insert into t (a, b) select 1, 2
t: insert into t (b) select a from s
t: insert into t (a) select 'x'
t: insert into t (a) values (1.6), (2.4)
t: insert into t (a) values ('1' || '2')
t: insert into t (a) values (true)
t: insert into t values (1, 'a', 2, 3)
t: insert into t (a, b) values (1)
t: insert into t (a, a) values (1, 2)
t: insert into t (nosuch) values (1)
t: insert into nosuch values (1)
t: insert into t (a) values (1), (2, 3)
t: insert into t (a) select 1, 2
t: insert into t (a) values (sum(1))
t: insert into t (c) values (1e3), (null), (1)
t: with q as (select 5 as n) insert into t (a) select n from q
t: insert into t (a) values ((select max(a) from s))
t: insert into t (b) values (1), ('a')
t: insert into t (a) select 1 union select 2.7
t: insert into t (b) select 'x' union select null
v: insert into v (x) values ('abcd')
v: insert into v (x) values ('ab   ')
v: insert into v (x) values ('abcd'::varchar(3))
v: insert into v (n) values (12.345), ('1')
v: insert into v (n) values (1234.5)
v: insert into v (ch) values ('abcde')
v: insert into v (arr) values (array[1,2]), ('{3}')
v: insert into v (arr) values (array['a'])
v: insert into v (f, g) values (1.1, 1.1)
v: insert into v (k) values ('yes'), (1 > 2)
v: insert into v (k) values (1)
s: insert into s (a, d) values (5, '2020-02-30')
s: insert into s (a, d, e) values (5, timestamp '2020-02-01 10:00', date '2020-01-01')
t: update t set b = 'k' where a = 1
t: update t set a = a + 1, b = b || '!', c = default
t: update t set (a, b) = (5, 'five') where a = 3
t: update t as q set c = q.c * 2 where q.a = 1
t: update t set c = s.a from s where s.a = t.a and s.d is null
t: update t set b = (select max(d)::text from s where s.a = t.a)
t: update t set a = 'x'
t: update t set a = true
t: update t set nosuch = 1
t: update t set a = 1, a = 2
t: update t set a = count(*)
t: update t set t.a = 1
t: update t set a = 1 where nosuch = 2
t: update nosuch set a = 1
t: update t set b = 5 where a = 2
v: update v set x = 'toolong' where x = 'abc'
v: update v set n = n * 3
t: delete from t where a = 1
t: delete from t
t: delete from t using s where s.a = t.a
t: delete from t q where q.b is null
t: delete from t where a in (select a from s)
t: delete from t where t.a = s.a
t: with q as (select max(a) as m from t) delete from t using q where t.a = q.m
t: delete from t where b = 1
