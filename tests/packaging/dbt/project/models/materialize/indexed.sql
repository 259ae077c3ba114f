{{ config(materialized='view', indexes=[{'columns': ['customer'], 'cluster': 'default'}, {'default': True}]) }}
select customer, count(*) as n from {{ ref('stg_orders') }} group by 1
