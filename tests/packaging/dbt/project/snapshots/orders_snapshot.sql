{% snapshot orders_snapshot %}
{{ config(target_schema='snaps', unique_key='id', strategy='check', check_cols=['amount'], enabled=target.type == 'postgres') }}
select * from {{ ref('stg_orders') }}
{% endsnapshot %}
