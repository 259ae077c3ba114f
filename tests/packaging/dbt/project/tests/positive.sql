select * from {{ ref('by_customer') }} where total < 0
