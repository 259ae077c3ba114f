{{ config(materialized='source') }}
FROM LOAD GENERATOR COUNTER (TICK INTERVAL '1s')
