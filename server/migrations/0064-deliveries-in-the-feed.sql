-- concurrently
-- The entries that are deliveries, in the order of the feed. Those of a batch have one transaction, which an index keeps once.
drop index concurrently if exists deliveries_queued;
create index concurrently deliveries_queued on deliveries (workspace_id, queued_txid) where queued_txid is not null;
drop index concurrently if exists deliveries_expired;
create index concurrently deliveries_expired on deliveries (workspace_id, expired_txid) where expired_txid is not null;
