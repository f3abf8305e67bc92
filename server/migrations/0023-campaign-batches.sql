-- A run that waits at a step of type batch, with the runs that it gathered. The row goes when the run leaves the step; where the run ended
-- there, the row stays as the record of what it had gathered.
create table campaign_batches (
  person_key uuid not null,
  -- The run that waits: the first one that arrived.
  run_id uuid not null,
  step_id text not null,
  workspace_id uuid not null,
  campaign_id uuid not null,
  -- A hash of the value of the step's key.
  key uuid not null,
  -- Whether runs that arrive still join it.
  open boolean not null,
  -- All runs of the batch, with the one that waits.
  count integer not null,
  -- The first 100 of them, in the order in which they arrived. Their data stays in their own rows.
  run_ids uuid[] not null,
  primary key (person_key, run_id, step_id)
) with (fillfactor = 70);
-- Two transactions can't both open a batch for a key.
create unique index campaign_batches_open on campaign_batches (person_key, campaign_id, step_id, key) where open;
