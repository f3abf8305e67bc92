-- One noun for every channel, so activity, analytics and metrics have one source.
create table deliveries (
  person_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  channel text not null check (channel in ('email', 'push', 'sms', 'in_app')),
  source text not null check (source in ('transactional', 'broadcast', 'campaign', 'test')),
  source_id uuid,
  -- Of a source that sends several, which of them this person got.
  variant text,
  status text not null,
  reason text,
  queued_at timestamptz not null,
  -- What was rendered for this person; null: the same for everyone, see message_id and message_version.
  content jsonb,
  -- In-app: the live queue.
  message_id uuid,
  message_version integer,
  live boolean not null default false,
  -- An inbox card: also listed in the person's inbox.
  inbox boolean not null default false,
  priority smallint not null default 0,
  -- Outbound: when its expires_in is over; it is not handed over any more.
  expires_at timestamptz,
  impressions integer not null default 0,
  last_impression_at timestamptz,
  shown_at timestamptz,
  clicked_at timestamptz,
  dismissed_at timestamptz,
  read_at timestamptz,
  -- Outbound: the row is the job. due_at is null when there is nothing (more) to do.
  recipient text,
  due_at timestamptz,
  -- When it was to be sent at first: how long it has waited where no provider could be asked.
  first_due_at timestamptz,
  lease_id uuid,
  -- One of many: it waits behind what was sent to one person, see outbound/lane.ts.
  bulk boolean generated always as (source in ('broadcast', 'campaign')) stored,
  attempts smallint not null default 0,
  retain_content boolean not null default true,
  at_most_once boolean not null default false,
  -- Asked again before what waited is handed over: whether it respects subscription, and its topic.
  respects_subscription boolean not null default false,
  topic_id uuid,
  provider text,
  provider_message_id text,
  sent_at timestamptz,
  delivered_at timestamptz,
  opened_at timestamptz,
  bounced_at timestamptz,
  complained_at timestamptz,
  unsubscribed_at timestamptz,
  -- Since when the status is failed or suppressed, where it was not so from the start.
  failed_at timestamptz,
  -- In-app and not over yet; may be live no more. Indexes ask this and not `status`, which the first impression changes.
  recallable boolean generated always as (message_id is not null and status in ('queued', 'shown')) stored,
  primary key (person_key, id)
)
-- Room for HOT updates: an impression changes no indexed column and stays on its page.
with (fillfactor = 85);

-- Sync's order, one index range a person.
create index deliveries_live on deliveries (person_key, priority desc, queued_at, id) where live;
-- The versions of what a person has: sync passes over those that show nothing here without reading their rows.
create index deliveries_versions on deliveries (person_key, priority, message_id, message_version, queued_at) where live;
create index deliveries_inbox on deliveries (person_key, queued_at desc, id desc) where live and inbox;
-- What is not over yet of one definition, to be recalled page by page: what was recalled leaves it, so that a call which is
-- repeated goes on where the last one ended.
create index deliveries_message on deliveries (message_id, person_key, id) where recallable;
create index deliveries_expiry on deliveries (expires_at) where live and expires_at is not null;
-- What is due, what is sent to many behind the rest; a leased row is due again when its lease ends.
create index deliveries_due on deliveries (bulk, due_at) where due_at is not null;
create index deliveries_newest on deliveries (workspace_id, queued_at desc, id);
create index deliveries_source on deliveries (source_id, queued_at) where source_id is not null;
create index deliveries_id on deliveries (id);
-- For the retention of what was rendered. Content that is shared by reference costs it nothing, and an impression changes neither.
create index deliveries_content on deliveries (workspace_id, queued_at) where content is not null;
-- For ?undetermined=true. By at_most_once, which never changes: a status here would cost every in-app impression its HOT update.
create index deliveries_at_most_once on deliveries (workspace_id, queued_at desc, id) where at_most_once;

-- When a person was shown in-app messages, for the workspace's in_app_cap. Rows exist only where a cap is set, so that
-- workspaces without one pay nothing. `revision` guards: whoever was overtaken decides again.
create table in_app_caps (
  person_key uuid primary key,
  impressions timestamptz[] not null,
  revision integer not null
);
