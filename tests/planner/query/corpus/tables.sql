create table t (a integer, b text, c numeric);
create table s (a bigint not null, d date, e timestamptz);
create table v (x varchar(3), n numeric(5,2), arr integer[], ch char(4), f real, g double precision, k boolean);
insert into t values (1,'x',1.5),(1,'x',1.5),(2,'y',null),(null,'z',3),(3,null,4);
insert into s values (1,'2020-01-01','2020-01-01 12:00+00'),(1,'2021-01-01',null),(3,null,'2022-05-05 00:00+02');
insert into v values ('abc',1.23,'{1,2,3}','ab',1.5,2.5,true),(null,null,null,null,null,null,null),('','9.99','{}','',0,0,false);
