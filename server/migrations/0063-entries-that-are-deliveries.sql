-- The transactions that queued and expired an in-app delivery, where the entry of the log is the row of the delivery: see docs/decisions/0072-entries-that-are-deliveries.md.
alter table deliveries add column queued_txid xid8, add column expired_txid xid8, add column expired_at timestamptz;
