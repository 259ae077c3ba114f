{{ config(materialized='materialized_view', cluster='default', retain_history='1h') }}
select max(counter) as latest from {{ ref('ticks') }}
