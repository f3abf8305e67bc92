-- A call of a webhook step for one run. The row is its own job: due_at says when somebody has to look at it next, and a lease is a due time
-- in the near future. The row goes with the run, and is cleaned up where the run left the step without it.
create table campaign_calls (
  person_key uuid not null,
  run_id uuid not null,
  step_id text not null,
  workspace_id uuid not null,
  campaign_id uuid not null,
  url text not null,
  -- As it is sent, so that a repeated call is the same.
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'answered', 'failed')),
  due_at timestamptz not null,
  lease_id uuid,
  attempts smallint not null default 0,
  -- The last answer: {"status", "response", "error"}.
  answer jsonb,
  created_at timestamptz not null,
  primary key (person_key, run_id, step_id)
);
create index campaign_calls_due on campaign_calls (campaign_id, due_at);

-- The secret that signs the calls of a workspace's campaigns, sealed; the one before it signs too, until a time.
create table campaign_secrets (
  workspace_id uuid primary key,
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  created_at timestamptz not null
);
