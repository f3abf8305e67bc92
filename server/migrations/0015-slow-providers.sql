-- Until then a provider is slow, as the process that waits for it said last; null or past: it is not.
alter table providers add column slow_until timestamptz, add column slow_reason text;

-- The provider whose fault put a delivery off: when it works again, they are due at once. Null: nobody's.
alter table deliveries add column put_off_by uuid;
create index deliveries_put_off on deliveries (put_off_by, due_at) where put_off_by is not null;
