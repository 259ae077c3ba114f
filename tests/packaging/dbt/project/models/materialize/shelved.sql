{{ config(materialized='materialized_view', cluster=var('kept_by', 'default')) }}
select count(*) as n from {{ ref('raw_orders') }}
