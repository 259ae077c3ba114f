{{ config(materialized='incremental', unique_key='id', enabled=target.type == 'postgres') }}
select * from {{ ref('stg_orders') }}
{% if is_incremental() %} where ordered_at > (select max(ordered_at) from {{ this }}) - interval '1 day' {% endif %}
