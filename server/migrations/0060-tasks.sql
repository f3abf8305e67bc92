-- How many runs an activation or an archive left to the engine, and since when, so that the rest can be shown as progress.
alter table campaigns add column work_total integer;
alter table campaigns add column work_since timestamptz;
-- The period of events that are read again, until the position has passed it.
alter table webhooks add column replay_since timestamptz;
alter table webhooks add column replay_until timestamptz;
