-- Storey 4, WHY. One message to many people. The row is the job: next_at is null when there is nothing to do, and whoever works
-- holds the row's lock for one step, which is one transaction. A dead process's lock goes with its connection.
create table broadcasts (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  channel text not null check (channel in ('email', 'push', 'sms', 'in_app')),
  -- To whom: a saved audience, or a filter of its own.
  audience_id uuid,
  audience jsonb,
  message_id uuid,
  -- Fixed when sending starts.
  message_version integer,
  content jsonb,
  -- What it says in other languages, by tag: {"de": {"content": ...}}. Once sending starts versions stand in all of it.
  locales jsonb,
  -- An A/B split, in place of the three: [{"name", "weight", "message_id" or "content", "locales"}].
  variants jsonb,
  -- Who gets nothing, so that one can tell what it does.
  holdout_percent double precision not null default 0,
  topic_id uuid,
  track_opens boolean not null default false,
  track_clicks boolean not null default false,
  subscription_preference text not null check (subscription_preference in ('subscribed', 'all')),
  rate_per_second double precision,
  status text not null check (status in ('draft', 'scheduled', 'sending', 'paused', 'sent', 'canceled', 'failed')),
  -- Why it failed.
  reason text,
  send_at timestamptz,
  local_time boolean not null default false,
  -- Local time: whose clocks show send_at, as it was when it was scheduled.
  send_zone text,
  started_at timestamptz,
  finished_at timestamptz,
  next_at timestamptz,
  -- Collecting the audience: how far it came, in the order of person_key, moved in the transaction that keeps the page.
  cursor uuid,
  collected boolean not null default false,
  total integer not null default 0,
  done integer not null default 0,
  held_out integer not null default 0,
  -- How far it was when, for the people a second of late.
  pace jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  -- A topic stays while something is to be sent with it; what is over forgets it.
  constraint broadcasts_topic foreign key (workspace_id, topic_id) references topics on delete set null (topic_id),
  check ((audience_id is null) <> (audience is null))
);
create index broadcasts_due on broadcasts (next_at) where next_at is not null;
create index broadcasts_topic on broadcasts (workspace_id, topic_id) where topic_id is not null;
create index broadcasts_audience on broadcasts (workspace_id, audience_id) where audience_id is not null;

-- The audience as it was when sending started, less what is done: some 8 KB for 500 people, gone with the page's own
-- transaction. Keys alone; a person who was erased meanwhile is not found and gets nothing.
create table broadcast_pages (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  due_at timestamptz not null,
  id uuid not null,
  person_keys uuid[] not null,
  -- How many they are: `done` is what is left of `total`, asked after each step without reading the keys.
  people integer not null generated always as (cardinality(person_keys)) stored,
  primary key (workspace_id, broadcast_id, due_at, id),
  foreign key (workspace_id, broadcast_id) references broadcasts on delete cascade
);
-- Keys are hashes: compressing them only costs time.
alter table broadcast_pages alter person_keys set storage external;
