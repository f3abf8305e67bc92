-- The runs of a person in a campaign: what ends them by an event, and what a list of runs of one person shows.
create index campaign_runs_person on campaign_runs (person_key, campaign_id, entered_at desc, id desc);

-- Who is in the audience of a campaign that people enter with an audience: entering it is an insert.
create table campaign_members (
  person_key uuid not null,
  campaign_id uuid not null,
  workspace_id uuid not null,
  since timestamptz not null,
  primary key (person_key, campaign_id)
);
create index campaign_members_campaign on campaign_members (campaign_id, person_key);

-- People whose data changed: whether they are in such an audience now is asked right after the commit. Who changes twice has two rows.
create table campaign_checks (
  person_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  primary key (person_key, id)
);
create index campaign_checks_oldest on campaign_checks (id);

-- How far the search has come for people who enter an audience without a change of theirs, because time passes.
create table campaign_sweeps (
  workspace_id uuid not null,
  campaign_id uuid not null,
  -- The audience that is swept: its members are forgotten when the campaign gets another one.
  audience jsonb not null,
  -- The last person of the page before; null between two sweeps.
  after_key uuid,
  started_at timestamptz,
  due_at timestamptz not null,
  primary key (workspace_id, campaign_id),
  foreign key (workspace_id, campaign_id) references campaigns on delete cascade
);
create index campaign_sweeps_due on campaign_sweeps (due_at);
