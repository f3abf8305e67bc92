-- A message step that escalates waits until one of its messages is seen.
alter table campaign_runs
  -- The deliveries of the step at which the run is, in the order of its messages: the run is due at once when one of them is seen or fails.
  add column escalation uuid[],
  -- When the last of them was queued, by the campaign's own clock.
  add column escalated_at timestamptz;
create index campaign_runs_escalating on campaign_runs (person_key) where escalation is not null;
alter table campaign_passages
  -- The deliveries of a step that sent several messages, in their order. Null where delivery_id is the only one.
  add column deliveries uuid[];
