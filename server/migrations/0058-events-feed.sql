-- concurrently
-- Events in the order of the transactions that wrote them. Those of a batch have one transaction, which the index keeps once.
drop index concurrently if exists events_feed;
create index concurrently events_feed on events (workspace_id, txid) where txid is not null;
