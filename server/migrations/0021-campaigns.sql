-- Storey 7, WHY. Automated journeys: people enter by something that happens, and pass the steps one by one.
create table campaigns (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null check (status in ('draft', 'active', 'paused', 'archived')),
  -- What its author wrote last: trigger, reentry, steps, entry_max_age, exit_when, goal, cancel_on.
  definition jsonb not null,
  -- The channels of its message steps, for lists.
  channels text[] not null default '{}',
  -- The version that people enter; null before the first activation.
  version integer,
  -- Its graph: a change of content keeps the number, a change of steps gets the next one.
  graph integer,
  -- A campaign's own clock stands still while it is paused: it is this far behind. Due times of its runs are times of this clock.
  behind interval not null default '0',
  paused_at timestamptz,
  -- It is archived, and the engine has still to end its runs.
  ending boolean not null default false,
  activated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create index campaigns_working on campaigns (workspace_id, id) where status = 'active' or ending;

-- What was published, unchanged for ever. A run follows the newest version of its graph, so that a mended text reaches those inside.
create table campaign_versions (
  workspace_id uuid not null,
  campaign_id uuid not null,
  version integer not null,
  graph integer not null,
  definition jsonb not null,
  created_at timestamptz not null,
  primary key (workspace_id, campaign_id, version),
  foreign key (workspace_id, campaign_id) references campaigns on delete cascade
);

-- One person's way through a campaign. The row is its own job: due_at is null when there is nothing to do.
create table campaign_runs (
  person_key uuid not null,
  -- Derived from the campaign, the person and what let them in.
  id uuid not null,
  workspace_id uuid not null,
  campaign_id uuid not null,
  graph integer not null,
  status text not null check (status in ('active', 'completed', 'exited', 'failed', 'canceled')),
  -- Why it ended, where it did not come to its end.
  reason text,
  -- Where it stands; null once it has ended.
  step_id text,
  -- {{trigger.*}}
  data jsonb not null,
  -- {{steps.*}} by the step's id: {"event": ..., "response": ...}
  outputs jsonb not null default '{}',
  -- An API call or an event may end all runs with this key.
  cancellation_key text,
  entered_at timestamptz not null,
  -- When it came to the step on which it stands, by the campaign's own clock.
  stepped_at timestamptz not null,
  -- The event for which it waits.
  waits_for text,
  -- When it goes on, by the campaign's own clock.
  due_at timestamptz,
  -- It waits for a date and not for a length of time: a pause does not move it.
  due_fixed boolean not null default false,
  attempts smallint not null default 0,
  goal_at timestamptz,
  ended_at timestamptz,
  primary key (person_key, id)
) with (fillfactor = 85);
create index campaign_runs_due on campaign_runs (campaign_id, due_at) where due_at is not null;
create index campaign_runs_waiting on campaign_runs (person_key, waits_for) where waits_for is not null;
create index campaign_runs_newest on campaign_runs (workspace_id, campaign_id, entered_at desc, id);
create index campaign_runs_standing on campaign_runs (workspace_id, campaign_id, step_id) where step_id is not null;
create index campaign_runs_cancel on campaign_runs (workspace_id, campaign_id, cancellation_key)
  where cancellation_key is not null and ended_at is null;

-- A run at a step: what a step made of it. A run passes each step once, so this key is what "once for a run and step" means.
create table campaign_passages (
  person_key uuid not null,
  run_id uuid not null,
  step_id text not null,
  workspace_id uuid not null,
  campaign_id uuid not null,
  entered_at timestamptz not null,
  left_at timestamptz,
  state text not null check (state in ('waiting', 'passed', 'failed', 'exited')),
  -- The way that it took on, where the step has several: then, else, the name of an arm.
  way text,
  reason text,
  delivery_id uuid,
  -- What the step was asked and answered, as its type has it.
  detail jsonb,
  primary key (person_key, run_id, step_id)
);
create index campaign_passages_step on campaign_passages (workspace_id, campaign_id, step_id, state);

-- Runs that a throttle let on, for as long as its window lasts. The key is a hash.
create table campaign_throttles (
  workspace_id uuid not null,
  campaign_id uuid not null,
  step_id text not null,
  key uuid not null,
  run_id uuid not null,
  -- By the campaign's own clock.
  passed_at timestamptz not null,
  primary key (campaign_id, step_id, run_id),
  foreign key (workspace_id, campaign_id) references campaigns on delete cascade
);
create index campaign_throttles_key on campaign_throttles (campaign_id, step_id, key, passed_at);
create index campaign_throttles_age on campaign_throttles (campaign_id, step_id, passed_at);

-- When a person entered a campaign last, where they may not enter at any time again.
create table campaign_entries (
  person_key uuid not null,
  campaign_id uuid not null,
  workspace_id uuid not null,
  entered_at timestamptz not null,
  primary key (person_key, campaign_id)
);
