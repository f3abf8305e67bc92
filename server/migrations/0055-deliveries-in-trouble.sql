-- concurrently
-- The list of deliveries by a rare status. None of these columns is written by an impression, so that impressions stay heap-only updates.
drop index concurrently if exists deliveries_trouble;
create index concurrently deliveries_trouble on deliveries (workspace_id, queued_at desc)
  where reason is not null or failed_at is not null or bounced_at is not null or complained_at is not null or unsubscribed_at is not null;
