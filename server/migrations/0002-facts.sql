-- Storey 1. Every person-scoped table begins its primary key with person_key =
-- UUID from SHA-256(workspace id, person_id): computed, never looked up.
create table people (
  person_key uuid primary key,
  workspace_id uuid not null,
  person_id text not null,
  email text,
  phone text,
  timezone text,
  locale text,
  subscribed boolean not null default true,
  -- A channel or a topic's TypeID -> boolean. What is not there is as the channel (subscribed) or the topic (its default) is.
  preferences jsonb not null default '{}',
  attributes jsonb not null default '{}',
  identified_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- Several people may share an address: the one identified last with it is meant.
create index people_email on people (workspace_id, email, identified_at desc) where email is not null;
create index people_phone on people (workspace_id, phone, identified_at desc) where phone is not null;
create index people_updated on people (workspace_id, updated_at desc, person_key);
-- Pages of an audience, in the order of person_key: the primary key alone would walk past everybody of the other workspaces.
create index people_workspace on people (workspace_id, person_key);

-- Who was erased, for 30 days: a late event or a broadcast under way must not bring them back. The key is a hash and names nobody.
create table erased_people (
  person_key uuid primary key,
  workspace_id uuid not null,
  erased_at timestamptz not null
);

-- Who was merged into whom, for 30 days: a broadcast under way names people by the keys that they had when it started.
create table merged_people (
  -- Who stayed.
  person_key uuid not null,
  merged_key uuid not null,
  workspace_id uuid not null,
  merged_at timestamptz not null,
  primary key (person_key, merged_key)
);
create index merged_people_newest on merged_people (workspace_id, merged_at);

-- `id` is derived from workspace, platform and token, so registering again is an upsert and
-- taking a token over from another person is one delete by (workspace_id, id).
create table devices (
  person_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  platform text not null check (platform in ('ios', 'android', 'web')),
  token text not null,
  subscription jsonb,
  app_version text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- Since a provider said that the token is dead; registering it again revives it.
  disabled_at timestamptz,
  primary key (person_key, id)
);
create index devices_token on devices (workspace_id, id);

-- `id` is derived from the client's event_id where there is one, so a repeat is a conflict, not a row.
create table events (
  person_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  properties jsonb not null default '{}',
  ts timestamptz not null,
  received_at timestamptz not null,
  primary key (person_key, id)
);
create index events_name on events (workspace_id, name, ts);

create table screens (
  workspace_id uuid not null,
  name text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (workspace_id, name)
);

-- Append-only: what happened to a delivery or a person. `id` is a UUIDv7, so the key is in time order.
create table activity (
  person_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  delivery_id uuid,
  type text not null,
  at timestamptz not null,
  data jsonb not null default '{}',
  -- Transactions do not commit in the order of their times. Whoever reads on (feed, webhooks, roll-ups) takes rows in the
  -- order (txid, id), up to the oldest transaction that is still open: a late commit is never skipped.
  txid xid8 not null default pg_current_xact_id(),
  primary key (person_key, id)
);
create index activity_feed on activity (workspace_id, txid, id);

-- What ingestion refused or left out, for some days and within bounds (ingest/rejections.ts). A workspace table: most of it names
-- somebody, and what names a person goes with the person.
create table rejected_data (
  workspace_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  route text not null,
  item integer,
  request_id text not null,
  person_key uuid,
  person_id text,
  code text not null,
  reason text not null,
  errors jsonb not null default '[]',
  data jsonb,
  primary key (workspace_id, id)
);
create index rejected_data_person on rejected_data (person_key) where person_key is not null;

-- All that was refused, kept or not, by the hour.
create table rejected_counts (
  workspace_id uuid not null,
  hour timestamptz not null,
  route text not null,
  code text not null,
  rejected bigint not null,
  not_kept bigint not null,
  last_at timestamptz not null,
  primary key (workspace_id, hour, route, code)
);
