{{ config(materialized='ephemeral') }}
select customer from {{ ref('stg_orders') }}
