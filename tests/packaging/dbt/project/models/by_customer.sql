{{ config(materialized='materialized_view') }}
select customer, sum(amount) as total, count(*) as n from {{ ref('stg_orders') }} group by customer
