{{ config(materialized='table', contract={'enforced': true}, grants={'select': ['reader']}) }}
select customer::text as customer, count(*)::int8 as n from {{ ref('names') }} group by 1
