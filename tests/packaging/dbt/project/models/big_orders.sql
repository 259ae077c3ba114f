{{ config(materialized='table', indexes=[{'columns': ['id']}]) }}
select * from {{ ref('stg_orders') }} where amount > 6
