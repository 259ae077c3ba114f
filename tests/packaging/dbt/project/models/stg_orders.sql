{{ config(materialized='view') }}
select id, customer, amount::numeric(10,2) as amount, ordered_at::timestamp as ordered_at from {{ ref('raw_orders') }}
