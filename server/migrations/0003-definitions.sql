-- What is sent. A version is immutable: cached for ever, never invalidated.
create table in_app_messages (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (workspace_id, id)
);
create index in_app_messages_newest on in_app_messages (workspace_id, created_at desc, id) where deleted_at is null;

create table in_app_message_versions (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  definition jsonb not null,
  created_at timestamptz not null,
  primary key (workspace_id, id, version)
);

create table transactionals (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  name text not null,
  trigger_name text,
  subscription_preference text not null check (subscription_preference in ('subscribed', 'all')),
  channel text not null check (channel in ('email', 'push', 'sms')),
  topic_id uuid,
  track_opens boolean not null default false,
  track_clicks boolean not null default false,
  at_most_once boolean not null default false,
  content jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  constraint transactionals_trigger_name unique (workspace_id, trigger_name)
);
create index transactionals_newest on transactionals (workspace_id, created_at desc, id);
