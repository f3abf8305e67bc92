-- The schema as the migrations leave it, for reading. Written by `npm run schema:dump`; do not edit.

create table activity (
  person_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  delivery_id uuid,
  type text not null,
  at timestamp with time zone not null,
  data jsonb not null default '{}'::jsonb,
  txid xid8 not null default pg_current_xact_id(),
  constraint activity_pkey PRIMARY KEY (person_key, id)
);

CREATE INDEX activity_feed ON public.activity USING btree (workspace_id, txid);

create table api_keys (
  id uuid not null,
  workspace_id uuid not null,
  kind text not null,
  name text not null,
  lookup bytea not null,
  hash bytea not null,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  scopes text[],
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_check CHECK (((kind = 'secret'::text) OR (scopes IS NULL))),
  constraint api_keys_kind_check CHECK ((kind = ANY (ARRAY['secret'::text, 'public'::text]))),
  constraint api_keys_scopes_check CHECK (((scopes <@ ARRAY['read'::text, 'send'::text, 'ingest'::text, 'author'::text, 'admin'::text]) AND (cardinality(scopes) > 0))),
  constraint api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE INDEX api_keys_lookup ON public.api_keys USING btree (lookup);
CREATE INDEX api_keys_workspace ON public.api_keys USING btree (workspace_id, created_at);

create table audience_members (
  person_key uuid not null,
  audience_id uuid not null,
  workspace_id uuid not null,
  added_at timestamp with time zone not null,
  constraint audience_members_pkey PRIMARY KEY (person_key, audience_id)
);

CREATE INDEX audience_members_list ON public.audience_members USING btree (audience_id, person_key);

create table audiences (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null,
  filter jsonb,
  uses uuid[] not null default '{}'::uuid[],
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint audiences_pkey PRIMARY KEY (workspace_id, id),
  constraint audiences_check CHECK (((filter IS NULL) = (kind = 'list'::text))),
  constraint audiences_kind_check CHECK ((kind = ANY (ARRAY['filter'::text, 'list'::text])))
);

CREATE UNIQUE INDEX audiences_name ON public.audiences USING btree (workspace_id, lower(name));

create table audit_entries (
  workspace_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null,
  action text not null,
  actor_type text not null,
  actor_id text,
  actor_name text not null,
  resource_type text not null,
  resource_id text not null,
  resource_name text not null,
  changes jsonb not null,
  left_out integer not null default 0,
  request_id text,
  constraint audit_entries_pkey PRIMARY KEY (workspace_id, id)
);

CREATE INDEX audit_entries_at ON public.audit_entries USING btree (workspace_id, at);
CREATE INDEX audit_entries_resource ON public.audit_entries USING btree (workspace_id, resource_id, id);

create table broadcast_addresses (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  address uuid not null,
  chosen uuid not null,
  verified boolean not null,
  identified_at timestamp with time zone not null,
  constraint broadcast_addresses_pkey PRIMARY KEY (workspace_id, broadcast_id, address),
  constraint broadcast_addresses_workspace_id_broadcast_id_fkey FOREIGN KEY (workspace_id, broadcast_id) REFERENCES broadcasts(workspace_id, id) ON DELETE CASCADE
);

create table broadcast_pages (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  due_at timestamp with time zone not null,
  id uuid not null,
  person_keys uuid[] not null,
  people integer not null generated always as cardinality(person_keys) stored,
  held boolean not null default false,
  constraint broadcast_pages_pkey PRIMARY KEY (workspace_id, broadcast_id, due_at, id),
  constraint broadcast_pages_workspace_id_broadcast_id_fkey FOREIGN KEY (workspace_id, broadcast_id) REFERENCES broadcasts(workspace_id, id) ON DELETE CASCADE
);

create table broadcasts (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  channel text not null,
  audience_id uuid,
  audience jsonb,
  message_id uuid,
  message_version integer,
  content jsonb,
  locales jsonb,
  variants jsonb,
  holdout_percent double precision not null default 0,
  topic_id uuid,
  track_opens boolean not null default false,
  track_clicks boolean not null default false,
  subscription_preference text not null,
  rate_per_second double precision,
  status text not null,
  reason text,
  send_at timestamp with time zone,
  local_time boolean not null default false,
  send_zone text,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  next_at timestamp with time zone,
  cursor uuid,
  collected boolean not null default false,
  total integer not null default 0,
  done integer not null default 0,
  held_out integer not null default 0,
  pace jsonb,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  recalled_at timestamp with time zone,
  when_held text not null default 'wait'::text,
  constraint broadcasts_pkey PRIMARY KEY (workspace_id, id),
  constraint broadcasts_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'push'::text, 'sms'::text, 'in_app'::text]))),
  constraint broadcasts_check CHECK (((audience_id IS NULL) <> (audience IS NULL))),
  constraint broadcasts_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'sending'::text, 'paused'::text, 'sent'::text, 'canceled'::text, 'failed'::text]))),
  constraint broadcasts_subscription_preference_check CHECK ((subscription_preference = ANY (ARRAY['subscribed'::text, 'all'::text]))),
  constraint broadcasts_topic FOREIGN KEY (workspace_id, topic_id) REFERENCES topics(workspace_id, id) ON DELETE SET NULL (topic_id),
  constraint broadcasts_when_held_check CHECK ((when_held = ANY (ARRAY['wait'::text, 'drop'::text])))
);

CREATE INDEX broadcasts_audience ON public.broadcasts USING btree (workspace_id, audience_id) WHERE (audience_id IS NOT NULL);
CREATE INDEX broadcasts_due ON public.broadcasts USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX broadcasts_topic ON public.broadcasts USING btree (workspace_id, topic_id) WHERE (topic_id IS NOT NULL);

create table callbacks_seen (
  provider_id uuid not null,
  signature uuid not null,
  until timestamp with time zone not null,
  constraint callbacks_seen_pkey PRIMARY KEY (provider_id, signature)
);

CREATE INDEX callbacks_seen_until ON public.callbacks_seen USING btree (until);

create table campaign_batches (
  person_key uuid not null,
  run_id uuid not null,
  step_id text not null,
  workspace_id uuid not null,
  campaign_id uuid not null,
  key uuid not null,
  open boolean not null,
  count integer not null,
  run_ids uuid[] not null,
  constraint campaign_batches_pkey PRIMARY KEY (person_key, run_id, step_id)
) with (fillfactor=70);

CREATE UNIQUE INDEX campaign_batches_open ON public.campaign_batches USING btree (person_key, campaign_id, step_id, key) WHERE open;

create table campaign_calls (
  person_key uuid not null,
  run_id uuid not null,
  step_id text not null,
  workspace_id uuid not null,
  campaign_id uuid not null,
  url text not null,
  body text not null,
  state text not null default 'pending'::text,
  due_at timestamp with time zone not null,
  lease_id uuid,
  attempts smallint not null default 0,
  answer jsonb,
  created_at timestamp with time zone not null,
  constraint campaign_calls_pkey PRIMARY KEY (person_key, run_id, step_id),
  constraint campaign_calls_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'answered'::text, 'failed'::text])))
);

CREATE INDEX campaign_calls_due ON public.campaign_calls USING btree (campaign_id, due_at);

create table campaign_checks (
  person_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  constraint campaign_checks_pkey PRIMARY KEY (person_key, id)
);

CREATE INDEX campaign_checks_oldest ON public.campaign_checks USING btree (id);

create table campaign_entries (
  person_key uuid not null,
  campaign_id uuid not null,
  workspace_id uuid not null,
  entered_at timestamp with time zone not null,
  constraint campaign_entries_pkey PRIMARY KEY (person_key, campaign_id)
);

create table campaign_members (
  person_key uuid not null,
  campaign_id uuid not null,
  workspace_id uuid not null,
  since timestamp with time zone not null,
  constraint campaign_members_pkey PRIMARY KEY (person_key, campaign_id)
);

CREATE INDEX campaign_members_campaign ON public.campaign_members USING btree (campaign_id, person_key);

create table campaign_occurrences (
  workspace_id uuid not null,
  campaign_id uuid not null,
  day date not null,
  due_at timestamp with time zone not null,
  zones text[] not null,
  after_key uuid,
  status text not null default 'open'::text,
  work_at timestamp with time zone,
  entered integer not null default 0,
  unreadable integer not null default 0,
  constraint campaign_occurrences_pkey PRIMARY KEY (workspace_id, campaign_id, day, due_at),
  constraint campaign_occurrences_status_check CHECK ((status = ANY (ARRAY['open'::text, 'done'::text, 'missed'::text]))),
  constraint campaign_occurrences_workspace_id_campaign_id_fkey FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE
);

CREATE INDEX campaign_occurrences_open ON public.campaign_occurrences USING btree (work_at) WHERE (work_at IS NOT NULL);

create table campaign_passages (
  person_key uuid not null,
  run_id uuid not null,
  step_id text not null,
  workspace_id uuid not null,
  campaign_id uuid not null,
  entered_at timestamp with time zone not null,
  left_at timestamp with time zone,
  state text not null,
  way text,
  reason text,
  delivery_id uuid,
  detail jsonb,
  deliveries uuid[],
  constraint campaign_passages_pkey PRIMARY KEY (person_key, run_id, step_id),
  constraint campaign_passages_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'passed'::text, 'failed'::text, 'exited'::text])))
);

CREATE INDEX campaign_passages_left ON public.campaign_passages USING btree (workspace_id, campaign_id, step_id, state, left_at);

create table campaign_runs (
  person_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  campaign_id uuid not null,
  graph integer not null,
  status text not null,
  reason text,
  step_id text,
  data jsonb not null,
  outputs jsonb not null default '{}'::jsonb,
  cancellation_key text,
  entered_at timestamp with time zone not null,
  stepped_at timestamp with time zone not null,
  waits_for text,
  due_at timestamp with time zone,
  due_fixed boolean not null default false,
  attempts smallint not null default 0,
  goal_at timestamp with time zone,
  ended_at timestamp with time zone,
  escalation uuid[],
  escalated_at timestamp with time zone,
  constraint campaign_runs_pkey PRIMARY KEY (person_key, id),
  constraint campaign_runs_status_check CHECK ((status = ANY (ARRAY['active'::text, 'completed'::text, 'exited'::text, 'failed'::text, 'canceled'::text])))
) with (fillfactor=85);

CREATE INDEX campaign_runs_cancel ON public.campaign_runs USING btree (workspace_id, campaign_id, cancellation_key) WHERE ((cancellation_key IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX campaign_runs_due ON public.campaign_runs USING btree (campaign_id, due_fixed, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX campaign_runs_ended ON public.campaign_runs USING btree (workspace_id, campaign_id, status, ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX campaign_runs_escalating ON public.campaign_runs USING btree (person_key) WHERE (escalation IS NOT NULL);
CREATE INDEX campaign_runs_goal ON public.campaign_runs USING btree (workspace_id, campaign_id, goal_at) WHERE (goal_at IS NOT NULL);
CREATE INDEX campaign_runs_newest ON public.campaign_runs USING btree (workspace_id, campaign_id, entered_at DESC, id);
CREATE INDEX campaign_runs_person ON public.campaign_runs USING btree (person_key, campaign_id, entered_at DESC, id DESC);
CREATE INDEX campaign_runs_standing ON public.campaign_runs USING btree (workspace_id, campaign_id, step_id, graph) WHERE (step_id IS NOT NULL);
CREATE INDEX campaign_runs_waiting ON public.campaign_runs USING btree (person_key, waits_for) WHERE (waits_for IS NOT NULL);

create table campaign_schedules (
  workspace_id uuid not null,
  campaign_id uuid not null,
  trigger jsonb not null,
  planned_until timestamp with time zone not null,
  due_at timestamp with time zone not null,
  constraint campaign_schedules_pkey PRIMARY KEY (workspace_id, campaign_id),
  constraint campaign_schedules_workspace_id_campaign_id_fkey FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE
);

CREATE INDEX campaign_schedules_due ON public.campaign_schedules USING btree (due_at);

create table campaign_secrets (
  workspace_id uuid not null,
  secret text not null,
  previous_secret text,
  previous_until timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint campaign_secrets_pkey PRIMARY KEY (workspace_id)
);

create table campaign_sweeps (
  workspace_id uuid not null,
  campaign_id uuid not null,
  audience jsonb not null,
  after_key uuid,
  started_at timestamp with time zone,
  due_at timestamp with time zone not null,
  full_at timestamp with time zone,
  settled boolean not null default false,
  seen_at timestamp with time zone,
  fingerprint text,
  feed_txid text,
  feed_id uuid,
  constraint campaign_sweeps_pkey PRIMARY KEY (workspace_id, campaign_id),
  constraint campaign_sweeps_workspace_id_campaign_id_fkey FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE
);

CREATE INDEX campaign_sweeps_due ON public.campaign_sweeps USING btree (due_at);

create table campaign_throttles (
  workspace_id uuid not null,
  campaign_id uuid not null,
  step_id text not null,
  key uuid not null,
  run_id uuid not null,
  passed_at timestamp with time zone not null,
  constraint campaign_throttles_pkey PRIMARY KEY (campaign_id, step_id, run_id),
  constraint campaign_throttles_workspace_id_campaign_id_fkey FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE
);

CREATE INDEX campaign_throttles_age ON public.campaign_throttles USING btree (campaign_id, step_id, passed_at);
CREATE INDEX campaign_throttles_key ON public.campaign_throttles USING btree (campaign_id, step_id, key, passed_at);

create table campaign_versions (
  workspace_id uuid not null,
  campaign_id uuid not null,
  version integer not null,
  graph integer not null,
  definition jsonb not null,
  created_at timestamp with time zone not null,
  inside text,
  published_by jsonb,
  constraint campaign_versions_pkey PRIMARY KEY (workspace_id, campaign_id, version),
  constraint campaign_versions_inside_check CHECK ((inside = ANY (ARRAY['stay'::text, 'move'::text, 'end'::text]))),
  constraint campaign_versions_workspace_id_campaign_id_fkey FOREIGN KEY (workspace_id, campaign_id) REFERENCES campaigns(workspace_id, id) ON DELETE CASCADE
);

create table campaigns (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null,
  definition jsonb not null,
  channels text[] not null default '{}'::text[],
  version integer,
  graph integer,
  behind interval not null default '00:00:00'::interval,
  paused_at timestamp with time zone,
  ending boolean not null default false,
  activated_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  settling boolean not null default false,
  asking_since timestamp with time zone,
  work_total integer,
  work_since timestamp with time zone,
  constraint campaigns_pkey PRIMARY KEY (workspace_id, id),
  constraint campaigns_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'paused'::text, 'archived'::text])))
);

CREATE INDEX campaigns_working ON public.campaigns USING btree (workspace_id, id) WHERE ((status = 'active'::text) OR ending OR settling);

create table catalog_events (
  workspace_id uuid not null,
  name text not null,
  first_seen timestamp with time zone not null,
  last_seen timestamp with time zone not null,
  day date not null,
  of_day bigint not null,
  of_day_before bigint not null,
  constraint catalog_events_pkey PRIMARY KEY (workspace_id, name)
);

create table catalog_fields (
  workspace_id uuid not null,
  event text not null,
  name text not null,
  types smallint not null,
  first_seen timestamp with time zone not null,
  last_seen timestamp with time zone not null,
  constraint catalog_fields_pkey PRIMARY KEY (workspace_id, event, name)
);

create table catalog_fills (
  workspace_id uuid not null,
  after_event text not null default ''::text,
  after_key uuid,
  done boolean not null default false,
  constraint catalog_fills_pkey PRIMARY KEY (workspace_id)
);

create table deliveries (
  person_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  channel text not null,
  source text not null,
  source_id uuid,
  variant text,
  status text not null,
  reason text,
  queued_at timestamp with time zone not null,
  content jsonb,
  message_id uuid,
  message_version integer,
  live boolean not null default false,
  inbox boolean not null default false,
  priority smallint not null default 0,
  expires_at timestamp with time zone,
  impressions integer not null default 0,
  last_impression_at timestamp with time zone,
  shown_at timestamp with time zone,
  clicked_at timestamp with time zone,
  dismissed_at timestamp with time zone,
  read_at timestamp with time zone,
  recipient text,
  due_at timestamp with time zone,
  first_due_at timestamp with time zone,
  lease_id uuid,
  bulk boolean generated always as (source = ANY (ARRAY['broadcast'::text, 'campaign'::text])) stored,
  attempts smallint not null default 0,
  retain_content boolean not null default true,
  at_most_once boolean not null default false,
  respects_subscription boolean not null default false,
  topic_id uuid,
  provider text,
  provider_message_id text,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  opened_at timestamp with time zone,
  bounced_at timestamp with time zone,
  complained_at timestamp with time zone,
  unsubscribed_at timestamp with time zone,
  failed_at timestamp with time zone,
  recallable boolean generated always as ((message_id IS NOT NULL) AND (status = ANY (ARRAY['queued'::text, 'shown'::text]))) stored,
  put_off_by uuid,
  shared_limits boolean not null default false,
  first_seen_at timestamp with time zone,
  first_acted_at timestamp with time zone,
  fetched_at timestamp with time zone,
  last_sync jsonb,
  step_id text,
  step_position smallint,
  queued_txid xid8,
  expired_txid xid8,
  expired_at timestamp with time zone,
  constraint deliveries_pkey PRIMARY KEY (person_key, id),
  constraint deliveries_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'push'::text, 'sms'::text, 'in_app'::text]))),
  constraint deliveries_source_check CHECK ((source = ANY (ARRAY['transactional'::text, 'broadcast'::text, 'campaign'::text, 'test'::text])))
) with (fillfactor=85);

CREATE INDEX deliveries_at_most_once ON public.deliveries USING btree (workspace_id, queued_at DESC, id) WHERE at_most_once;
CREATE INDEX deliveries_content ON public.deliveries USING btree (workspace_id, queued_at) WHERE (content IS NOT NULL);
CREATE INDEX deliveries_due ON public.deliveries USING btree (bulk, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX deliveries_expired ON public.deliveries USING btree (workspace_id, expired_txid) WHERE (expired_txid IS NOT NULL);
CREATE INDEX deliveries_expiry ON public.deliveries USING btree (expires_at) WHERE (live AND (expires_at IS NOT NULL));
CREATE INDEX deliveries_id ON public.deliveries USING btree (id);
CREATE INDEX deliveries_inbox ON public.deliveries USING btree (person_key, queued_at DESC, id DESC) WHERE (live AND inbox);
CREATE INDEX deliveries_live ON public.deliveries USING btree (person_key, priority DESC, queued_at, id) WHERE live;
CREATE INDEX deliveries_message ON public.deliveries USING btree (message_id, queued_at) WHERE recallable;
CREATE INDEX deliveries_newest ON public.deliveries USING btree (workspace_id, queued_at DESC);
CREATE INDEX deliveries_put_off ON public.deliveries USING btree (put_off_by, due_at) WHERE (put_off_by IS NOT NULL);
CREATE INDEX deliveries_queued ON public.deliveries USING btree (workspace_id, queued_txid) WHERE (queued_txid IS NOT NULL);
CREATE INDEX deliveries_source ON public.deliveries USING btree (source_id, queued_at) WHERE (source_id IS NOT NULL);
CREATE INDEX deliveries_trouble ON public.deliveries USING btree (workspace_id, queued_at DESC) WHERE ((reason IS NOT NULL) OR (failed_at IS NOT NULL) OR (bounced_at IS NOT NULL) OR (complained_at IS NOT NULL) OR (unsubscribed_at IS NOT NULL));
CREATE INDEX deliveries_versions ON public.deliveries USING btree (person_key, priority, message_id, message_version, queued_at) WHERE live;

create table delivery_changes (
  workspace_id uuid not null,
  source text not null,
  source_id uuid,
  variant text,
  channel text not null,
  metric text not null,
  slot timestamp with time zone not null,
  n integer not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000);

CREATE INDEX delivery_changes_workspace ON public.delivery_changes USING btree (workspace_id);

create table delivery_counts (
  workspace_id uuid not null,
  source text not null,
  source_id uuid,
  variant text,
  channel text not null,
  slot timestamp with time zone not null,
  sent bigint not null,
  delivered bigint not null,
  shown bigint not null,
  opened bigint not null,
  clicked bigint not null,
  dismissed bigint not null,
  bounced bigint not null,
  unsubscribed bigint not null,
  failed bigint not null
);

CREATE UNIQUE INDEX delivery_counts_key ON public.delivery_counts USING btree (workspace_id, source_id, source, channel, slot, variant) NULLS NOT DISTINCT;

create table delivery_days (
  workspace_id uuid not null,
  source text not null,
  source_id uuid,
  variant text,
  channel text not null,
  slot timestamp with time zone not null,
  sent bigint not null,
  delivered bigint not null,
  shown bigint not null,
  opened bigint not null,
  clicked bigint not null,
  dismissed bigint not null,
  bounced bigint not null,
  unsubscribed bigint not null,
  failed bigint not null
);

CREATE UNIQUE INDEX delivery_days_key ON public.delivery_days USING btree (workspace_id, source_id, source, channel, slot, variant) NULLS NOT DISTINCT;

create table devices (
  person_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  platform text not null,
  token text not null,
  subscription jsonb,
  app_version text,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  constraint devices_pkey PRIMARY KEY (person_key, id),
  constraint devices_platform_check CHECK ((platform = ANY (ARRAY['ios'::text, 'android'::text, 'web'::text])))
);

CREATE INDEX devices_token ON public.devices USING btree (workspace_id, id);

create table email_layouts (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  name text not null,
  body text not null,
  format text not null,
  snippets text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint email_layouts_pkey PRIMARY KEY (workspace_id, id),
  constraint email_layouts_format_check CHECK ((format = ANY (ARRAY['html'::text, 'mjml'::text])))
);

create table email_template_versions (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  cause text not null,
  definition jsonb not null,
  content jsonb not null,
  created_at timestamp with time zone not null,
  created_by jsonb,
  constraint email_template_versions_pkey PRIMARY KEY (workspace_id, id, version)
);

create table email_templates (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  name text not null,
  layout_id uuid,
  snippets text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint email_templates_pkey PRIMARY KEY (workspace_id, id)
);

create table erased_people (
  person_key uuid not null,
  workspace_id uuid not null,
  erased_at timestamp with time zone not null,
  constraint erased_people_pkey PRIMARY KEY (person_key)
);

create table events (
  person_key uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  properties jsonb not null default '{}'::jsonb,
  ts timestamp with time zone not null,
  received_at timestamp with time zone not null,
  txid xid8 default pg_current_xact_id(),
  constraint events_pkey PRIMARY KEY (person_key, id)
);

CREATE INDEX events_feed ON public.events USING btree (workspace_id, txid) WHERE (txid IS NOT NULL);
CREATE INDEX events_name ON public.events USING btree (workspace_id, name, ts);

create table export_cursors (
  workspace_id uuid not null,
  destination_id uuid not null,
  table_name text not null,
  place jsonb not null,
  planned jsonb,
  due_at timestamp with time zone,
  lease_id uuid,
  attempts integer not null default 0,
  rows_sent bigint not null default 0,
  batches_sent bigint not null default 0,
  sent_until timestamp with time zone,
  last_sent_at timestamp with time zone,
  failing_since timestamp with time zone,
  last_error text,
  gap_from timestamp with time zone,
  gap_until timestamp with time zone,
  constraint export_cursors_pkey PRIMARY KEY (workspace_id, destination_id, table_name),
  constraint export_cursors_table_name_check CHECK ((table_name = ANY (ARRAY['deliveries'::text, 'activity'::text, 'events'::text]))),
  constraint export_cursors_workspace_id_destination_id_fkey FOREIGN KEY (workspace_id, destination_id) REFERENCES export_destinations(workspace_id, id) ON DELETE CASCADE
);

CREATE INDEX export_cursors_due ON public.export_cursors USING btree (due_at) WHERE (due_at IS NOT NULL);

create table export_destinations (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null,
  settings jsonb not null,
  credentials text not null,
  interval_seconds integer not null,
  enabled boolean not null default true,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  credentials_changed_at timestamp with time zone,
  constraint export_destinations_pkey PRIMARY KEY (workspace_id, id),
  constraint export_destinations_kind_check CHECK ((kind = ANY (ARRAY['s3'::text, 'clickhouse'::text]))),
  constraint export_destinations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table frequency_locks (
  person_key uuid not null,
  workspace_id uuid not null,
  constraint frequency_locks_pkey PRIMARY KEY (person_key)
);

create table idempotency_keys (
  workspace_id uuid not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  status smallint,
  answer jsonb,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (workspace_id, route, key)
);

CREATE INDEX idempotency_keys_expiry ON public.idempotency_keys USING btree (expires_at);

create table imports (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null,
  target text,
  status text not null,
  bytes bigint not null,
  bytes_read bigint not null default 0,
  rows bigint not null default 0,
  added bigint not null default 0,
  known bigint not null default 0,
  refused bigint not null default 0,
  errors jsonb not null default '[]'::jsonb,
  reason text,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  beat_at timestamp with time zone not null default now(),
  constraint imports_pkey PRIMARY KEY (workspace_id, id),
  constraint imports_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text, 'cut_off'::text])))
);

CREATE INDEX imports_age ON public.imports USING btree (started_at);

create table in_app_caps (
  person_key uuid not null,
  impressions timestamp with time zone[] not null,
  revision integer not null,
  constraint in_app_caps_pkey PRIMARY KEY (person_key)
);

create table in_app_counts (
  person_key uuid not null,
  message_id uuid not null,
  impressions integer not null,
  last_impression_at timestamp with time zone,
  revision integer not null,
  constraint in_app_counts_pkey PRIMARY KEY (person_key, message_id)
);

create table in_app_message_versions (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  definition jsonb not null,
  created_at timestamp with time zone not null,
  constraint in_app_message_versions_pkey PRIMARY KEY (workspace_id, id, version)
);

create table in_app_messages (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  name text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint in_app_messages_pkey PRIMARY KEY (workspace_id, id)
);

CREATE INDEX in_app_messages_newest ON public.in_app_messages USING btree (workspace_id, created_at DESC, id) WHERE (deleted_at IS NULL);

create table media (
  workspace_id uuid not null,
  id uuid not null,
  file text not null,
  thumbnail text not null,
  state text not null,
  name text not null,
  alt text,
  kind text not null,
  width integer not null,
  height integer not null,
  frames integer not null,
  bytes integer not null,
  thumbnail_bytes integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint media_pkey PRIMARY KEY (workspace_id, id),
  constraint media_file UNIQUE (workspace_id, file),
  constraint media_kind_check CHECK ((kind = ANY (ARRAY['png'::text, 'jpeg'::text, 'gif'::text, 'webp'::text]))),
  constraint media_state_check CHECK ((state = ANY (ARRAY['storing'::text, 'stored'::text, 'removing'::text])))
);

CREATE INDEX media_unfinished ON public.media USING btree (updated_at) WHERE (state <> 'stored'::text);

create table member_challenges (
  hash bytea not null,
  member_id uuid,
  expires_at timestamp with time zone not null,
  constraint member_challenges_pkey PRIMARY KEY (hash),
  constraint member_challenges_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);

CREATE INDEX member_challenges_expiry ON public.member_challenges USING btree (expires_at);

create table member_links (
  hash bytea not null,
  kind text not null,
  member_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint member_links_pkey PRIMARY KEY (hash),
  constraint member_links_kind_check CHECK ((kind = ANY (ARRAY['setup'::text, 'reset'::text]))),
  constraint member_links_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);

CREATE INDEX member_links_member ON public.member_links USING btree (member_id);

create table member_passkeys (
  id uuid not null,
  member_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint member_passkeys_pkey PRIMARY KEY (id),
  constraint member_passkeys_credential_id_key UNIQUE (credential_id),
  constraint member_passkeys_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);

CREATE INDEX member_passkeys_member ON public.member_passkeys USING btree (member_id);

create table member_recovery_codes (
  member_id uuid not null,
  hash bytea not null,
  constraint member_recovery_codes_pkey PRIMARY KEY (member_id, hash),
  constraint member_recovery_codes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE
);

create table member_sessions (
  id uuid not null,
  member_id uuid not null,
  token_hash bytea not null,
  workspace_id uuid,
  address text,
  agent text,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint member_sessions_pkey PRIMARY KEY (id),
  constraint member_sessions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint member_sessions_token_hash_key UNIQUE (token_hash),
  constraint member_sessions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE INDEX member_sessions_expiry ON public.member_sessions USING btree (expires_at);
CREATE INDEX member_sessions_member ON public.member_sessions USING btree (member_id);

create table members (
  id uuid not null,
  email text not null,
  email_key text not null,
  name text,
  password text,
  totp_secret text,
  totp_confirmed_at timestamp with time zone,
  totp_step bigint,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint members_pkey PRIMARY KEY (id),
  constraint members_email_key_key UNIQUE (email_key)
);

create table memberships (
  workspace_id uuid not null,
  member_id uuid not null,
  role text not null,
  invite_hash bytea,
  invite_expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint memberships_pkey PRIMARY KEY (workspace_id, member_id),
  constraint memberships_invite_hash_key UNIQUE (invite_hash),
  constraint memberships_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'editor'::text, 'viewer'::text]))),
  constraint memberships_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE INDEX memberships_member ON public.memberships USING btree (member_id);

create table merged_people (
  person_key uuid not null,
  merged_key uuid not null,
  workspace_id uuid not null,
  merged_at timestamp with time zone not null,
  constraint merged_people_pkey PRIMARY KEY (person_key, merged_key)
);

CREATE INDEX merged_people_key ON public.merged_people USING btree (merged_key);
CREATE INDEX merged_people_newest ON public.merged_people USING btree (workspace_id, merged_at);

create table migrations (
  name text not null,
  ran_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table oidc_identities (
  workspace_id uuid not null,
  issuer text not null,
  subject text not null,
  member_id uuid not null,
  created_at timestamp with time zone not null,
  constraint oidc_identities_pkey PRIMARY KEY (workspace_id, issuer, subject),
  constraint oidc_identities_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  constraint oidc_identities_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE INDEX oidc_identities_member ON public.oidc_identities USING btree (member_id);

create table oidc_providers (
  workspace_id uuid not null,
  issuer text not null,
  client_id text not null,
  client_secret text not null,
  role_mapping jsonb,
  updated_at timestamp with time zone not null,
  client_secret_changed_at timestamp with time zone,
  constraint oidc_providers_pkey PRIMARY KEY (workspace_id),
  constraint oidc_providers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table oidc_starts (
  state_hash bytea not null,
  cookie_hash bytea not null,
  workspace_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint oidc_starts_pkey PRIMARY KEY (state_hash),
  constraint oidc_starts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE INDEX oidc_starts_expiry ON public.oidc_starts USING btree (expires_at);

create table outbox (
  workspace_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  channel text not null,
  recipient text not null,
  message jsonb not null,
  captured_at timestamp with time zone not null,
  constraint outbox_pkey PRIMARY KEY (workspace_id, id)
);

CREATE UNIQUE INDEX outbox_delivery ON public.outbox USING btree (workspace_id, delivery_id, recipient);

create table people (
  person_key uuid not null,
  workspace_id uuid not null,
  person_id text not null,
  email text,
  phone text,
  timezone text,
  locale text,
  subscribed boolean not null default true,
  preferences jsonb not null default '{}'::jsonb,
  attributes jsonb not null default '{}'::jsonb,
  identified_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  email_verified boolean not null default false,
  phone_verified boolean not null default false,
  claimed_email text,
  claimed_phone text,
  attribute_times jsonb,
  constraint people_pkey PRIMARY KEY (person_key)
);

CREATE INDEX people_email ON public.people USING btree (workspace_id, email, email_verified DESC, identified_at DESC) WHERE (email IS NOT NULL);
CREATE INDEX people_phone ON public.people USING btree (workspace_id, phone, phone_verified DESC, identified_at DESC) WHERE (phone IS NOT NULL);
CREATE INDEX people_updated ON public.people USING btree (workspace_id, updated_at DESC, person_key);
CREATE INDEX people_workspace ON public.people USING btree (workspace_id, person_key);
CREATE INDEX people_zone ON public.people USING btree (workspace_id, timezone, person_key);

create table providers (
  workspace_id uuid not null,
  id uuid not null,
  channel text not null,
  kind text not null,
  name text not null,
  priority integer not null default 0,
  rate_per_second double precision,
  settings jsonb not null default '{}'::jsonb,
  credentials text,
  resting_until timestamp with time zone,
  resting_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  slow_until timestamp with time zone,
  slow_reason text,
  credentials_changed_at timestamp with time zone,
  constraint providers_pkey PRIMARY KEY (workspace_id, id),
  constraint providers_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'push'::text, 'sms'::text])))
);

CREATE UNIQUE INDEX providers_id ON public.providers USING btree (id);

create table rejected_counts (
  workspace_id uuid not null,
  hour timestamp with time zone not null,
  route text not null,
  code text not null,
  rejected bigint not null,
  not_kept bigint not null,
  last_at timestamp with time zone not null,
  constraint rejected_counts_pkey PRIMARY KEY (workspace_id, hour, route, code)
);

create table rejected_data (
  workspace_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null,
  route text not null,
  item integer,
  request_id text not null,
  person_key uuid,
  person_id text,
  code text not null,
  reason text not null,
  errors jsonb not null default '[]'::jsonb,
  data jsonb,
  constraint rejected_data_pkey PRIMARY KEY (workspace_id, id)
);

CREATE INDEX rejected_data_person ON public.rejected_data USING btree (person_key) WHERE (person_key IS NOT NULL);

create table screens (
  workspace_id uuid not null,
  name text not null,
  first_seen timestamp with time zone not null,
  last_seen timestamp with time zone not null,
  constraint screens_pkey PRIMARY KEY (workspace_id, name)
);

create table sign_in_attempts (
  name bytea not null,
  taken integer not null,
  until timestamp with time zone not null,
  constraint sign_in_attempts_pkey PRIMARY KEY (name)
);

create table signing_secrets (
  workspace_id uuid not null,
  kid text not null,
  secret text not null,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint signing_secrets_pkey PRIMARY KEY (workspace_id, kid),
  constraint signing_secrets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table snippets (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  name text not null,
  body text not null,
  snippets text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint snippets_pkey PRIMARY KEY (workspace_id, id),
  constraint snippets_name UNIQUE (workspace_id, name)
);

create table suppressions (
  workspace_id uuid not null,
  channel text not null,
  hash uuid not null,
  address text,
  reason text not null,
  source text not null,
  created_at timestamp with time zone not null,
  said_at timestamp with time zone,
  constraint suppressions_pkey PRIMARY KEY (workspace_id, channel, hash),
  constraint suppressions_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  constraint suppressions_reason_check CHECK ((reason = ANY (ARRAY['hard_bounce'::text, 'complaint'::text, 'manual'::text, 'stop'::text])))
);

CREATE INDEX suppressions_address ON public.suppressions USING btree (workspace_id, address text_pattern_ops) WHERE (address IS NOT NULL);
CREATE INDEX suppressions_newest ON public.suppressions USING btree (workspace_id, created_at DESC, hash DESC);

create table topics (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  default_state text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  exempt_from_limits boolean not null default false,
  constraint topics_pkey PRIMARY KEY (workspace_id, id),
  constraint topics_default_state_check CHECK ((default_state = ANY (ARRAY['subscribed'::text, 'unsubscribed'::text])))
);

CREATE UNIQUE INDEX topics_name ON public.topics USING btree (workspace_id, lower(name));

create table transactionals (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  name text not null,
  trigger_name text,
  subscription_preference text not null,
  channel text not null,
  topic_id uuid,
  track_opens boolean not null default false,
  track_clicks boolean not null default false,
  at_most_once boolean not null default false,
  content jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint transactionals_pkey PRIMARY KEY (workspace_id, id),
  constraint transactionals_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'push'::text, 'sms'::text]))),
  constraint transactionals_subscription_preference_check CHECK ((subscription_preference = ANY (ARRAY['subscribed'::text, 'all'::text]))),
  constraint transactionals_topic FOREIGN KEY (workspace_id, topic_id) REFERENCES topics(workspace_id, id),
  constraint transactionals_trigger_name UNIQUE (workspace_id, trigger_name)
);

CREATE INDEX transactionals_newest ON public.transactionals USING btree (workspace_id, created_at DESC, id);

create table unverified_calls (
  workspace_id uuid not null,
  day date not null,
  unsigned bigint not null default 0,
  invalid bigint not null default 0,
  claimed bigint not null default 0,
  constraint unverified_calls_pkey PRIMARY KEY (workspace_id, day)
);

create table webhook_deliveries (
  workspace_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  person_key uuid,
  type text not null,
  payload text not null,
  status text not null default 'pending'::text,
  due_at timestamp with time zone,
  lease_id uuid,
  attempts smallint not null default 0,
  log jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null,
  delivered_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (workspace_id, webhook_id, event_id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

CREATE INDEX webhook_deliveries_age ON public.webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (webhook_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (workspace_id, webhook_id, created_at DESC, event_id DESC);
CREATE INDEX webhook_deliveries_person ON public.webhook_deliveries USING btree (person_key) WHERE (person_key IS NOT NULL);

create table webhooks (
  workspace_id uuid not null,
  id uuid not null,
  url text not null,
  description text not null,
  types text[] not null,
  secret text not null,
  previous_secret text,
  previous_until timestamp with time zone,
  enabled boolean not null default true,
  disabled_at timestamp with time zone,
  disabled_reason text,
  txid xid8 not null,
  event_id uuid not null,
  failing_since timestamp with time zone,
  resting_until timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  replay_since timestamp with time zone,
  replay_until timestamp with time zone,
  secret_changed_at timestamp with time zone,
  constraint webhooks_pkey PRIMARY KEY (workspace_id, id),
  constraint webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['manual'::text, 'gone'::text, 'failing'::text]))),
  constraint webhooks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table workspace_counts (
  workspace_id uuid not null,
  slot timestamp with time zone not null,
  channel text not null,
  source text not null,
  sent bigint not null,
  delivered bigint not null,
  shown bigint not null,
  opened bigint not null,
  clicked bigint not null,
  dismissed bigint not null,
  bounced bigint not null,
  unsubscribed bigint not null,
  failed bigint not null,
  constraint workspace_counts_pkey PRIMARY KEY (workspace_id, slot, channel, source)
);

create table workspaces (
  id uuid not null,
  name text not null,
  status text not null default 'active'::text,
  timezone text not null default 'UTC'::text,
  allow_in_app boolean not null default true,
  identity_verification text not null default 'monitor'::text,
  retention_days integer not null default 365,
  retention jsonb not null default '{}'::jsonb,
  sender_defaults jsonb not null default '{}'::jsonb,
  quiet_defaults jsonb,
  in_app_cap jsonb,
  rate_limits jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  suspended_at timestamp with time zone,
  marketing_limits jsonb not null default '{}'::jsonb,
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_identity_verification_check CHECK ((identity_verification = ANY (ARRAY['off'::text, 'monitor'::text, 'required'::text]))),
  constraint workspaces_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);

CREATE INDEX workspaces_suspended ON public.workspaces USING btree (id) WHERE (status = 'suspended'::text);

CREATE OR REPLACE FUNCTION public.count_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        insert into delivery_changes (workspace_id, source, source_id, variant, channel, metric, slot, n)
        select g.workspace_id, g.source, g.source_id, g.variant, g.channel, m.metric, m.slot, sum(g.n)
        from (
          select workspace_id, source, source_id, variant, channel, sum(by) as n,
            date_bin('15 minutes', case when channel <> 'in_app' then sent_at when status <> 'failed' then queued_at end, 'epoch') as sent,
            date_bin('15 minutes', delivered_at, 'epoch') as delivered,
            date_bin('15 minutes', shown_at, 'epoch') as shown,
            date_bin('15 minutes', opened_at, 'epoch') as opened,
            date_bin('15 minutes', clicked_at, 'epoch') as clicked,
            date_bin('15 minutes', dismissed_at, 'epoch') as dismissed,
            date_bin('15 minutes', bounced_at, 'epoch') as bounced,
            date_bin('15 minutes', unsubscribed_at, 'epoch') as unsubscribed,
            date_bin('15 minutes', case when status in ('failed', 'suppressed') then coalesce(failed_at, queued_at) end, 'epoch') as failed
          from (select *, -1 as by from gone) as changed
          group by 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15
        ) as g
        cross join lateral (values ('sent', sent), ('delivered', delivered), ('shown', shown), ('opened', opened), ('clicked', clicked),
          ('dismissed', dismissed), ('bounced', bounced), ('unsubscribed', unsubscribed), ('failed', failed)) as m (metric, slot)
        where m.slot is not null
        group by 1, 2, 3, 4, 5, 6, 7
        having sum(g.n) <> 0;
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.count_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        insert into delivery_changes (workspace_id, source, source_id, variant, channel, metric, slot, n)
        select g.workspace_id, g.source, g.source_id, g.variant, g.channel, m.metric, m.slot, sum(g.n)
        from (
          select workspace_id, source, source_id, variant, channel, sum(by) as n,
            date_bin('15 minutes', case when channel <> 'in_app' then sent_at when status <> 'failed' then queued_at end, 'epoch') as sent,
            date_bin('15 minutes', delivered_at, 'epoch') as delivered,
            date_bin('15 minutes', shown_at, 'epoch') as shown,
            date_bin('15 minutes', opened_at, 'epoch') as opened,
            date_bin('15 minutes', clicked_at, 'epoch') as clicked,
            date_bin('15 minutes', dismissed_at, 'epoch') as dismissed,
            date_bin('15 minutes', bounced_at, 'epoch') as bounced,
            date_bin('15 minutes', unsubscribed_at, 'epoch') as unsubscribed,
            date_bin('15 minutes', case when status in ('failed', 'suppressed') then coalesce(failed_at, queued_at) end, 'epoch') as failed
          from (select *, 1 as by from made) as changed
          group by 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15
        ) as g
        cross join lateral (values ('sent', sent), ('delivered', delivered), ('shown', shown), ('opened', opened), ('clicked', clicked),
          ('dismissed', dismissed), ('bounced', bounced), ('unsubscribed', unsubscribed), ('failed', failed)) as m (metric, slot)
        where m.slot is not null
        group by 1, 2, 3, 4, 5, 6, 7
        having sum(g.n) <> 0;
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.count_none()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  truncate delivery_changes, delivery_counts, delivery_days, workspace_counts;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.count_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        insert into delivery_changes (workspace_id, source, source_id, variant, channel, metric, slot, n)
        select g.workspace_id, g.source, g.source_id, g.variant, g.channel, m.metric, m.slot, sum(g.n)
        from (
          select workspace_id, source, source_id, variant, channel, sum(by) as n,
            date_bin('15 minutes', case when channel <> 'in_app' then sent_at when status <> 'failed' then queued_at end, 'epoch') as sent,
            date_bin('15 minutes', delivered_at, 'epoch') as delivered,
            date_bin('15 minutes', shown_at, 'epoch') as shown,
            date_bin('15 minutes', opened_at, 'epoch') as opened,
            date_bin('15 minutes', clicked_at, 'epoch') as clicked,
            date_bin('15 minutes', dismissed_at, 'epoch') as dismissed,
            date_bin('15 minutes', bounced_at, 'epoch') as bounced,
            date_bin('15 minutes', unsubscribed_at, 'epoch') as unsubscribed,
            date_bin('15 minutes', case when status in ('failed', 'suppressed') then coalesce(failed_at, queued_at) end, 'epoch') as failed
          from (select *, 1 as by from made union all select *, -1 from gone) as changed
          group by 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15
        ) as g
        cross join lateral (values ('sent', sent), ('delivered', delivered), ('shown', shown), ('opened', opened), ('clicked', clicked),
          ('dismissed', dismissed), ('bounced', bounced), ('unsubscribed', unsubscribed), ('failed', failed)) as m (metric, slot)
        where m.slot is not null
        group by 1, 2, 3, 4, 5, 6, 7
        having sum(g.n) <> 0;
        return null;
      end $function$
;

CREATE OR REPLACE FUNCTION public.instant_of(value text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case
    when value ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9]))?$'
      and not starts_with(value, '0000')
    then case
      when substr(value, 9, 2) <= '28' or substr(value, 9, 2)::int
        <= extract(day from (substr(value, 1, 7) || '-01')::date + interval '1 month' - interval '1 day')
      then (case when length(value) = 10 then value || 'T00:00:00Z'
        else regexp_replace(value, '(\.[0-9]{3})[0-9]+', '\1') end)::timestamptz
    end
  end
$function$
;

CREATE TRIGGER deliveries_count_delete AFTER DELETE ON deliveries REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_delete();

CREATE TRIGGER deliveries_count_insert AFTER INSERT ON deliveries REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_insert();

CREATE TRIGGER deliveries_count_truncate AFTER TRUNCATE ON deliveries FOR EACH STATEMENT EXECUTE FUNCTION count_none();

CREATE TRIGGER deliveries_count_update AFTER UPDATE ON deliveries REFERENCING OLD TABLE AS gone NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_update();
