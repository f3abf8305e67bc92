-- What became of a test delivery before it was shown: when a sync first returned it, and what the last sync that looked at it
-- made of it. Written for deliveries whose source is 'test' alone; no index names them, so each note is a HOT update.
alter table deliveries add column fetched_at timestamptz;
alter table deliveries add column last_sync jsonb;
