-- Endpoints of the workspace's own systems. (txid, event_id) is how far into its activity this endpoint was brought: all
-- before it stands in webhook_deliveries, nothing behind it does.
create table webhooks (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  url text not null,
  description text not null,
  -- Empty: every event.
  types text[] not null,
  -- Both sealed. After a rotation the previous one signs too, until its time is over.
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  enabled boolean not null default true,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('manual', 'gone', 'failing')),
  txid xid8 not null,
  event_id uuid not null,
  -- Since when nothing has succeeded.
  failing_since timestamptz,
  -- Until then it asked to be left alone (Retry-After).
  resting_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);

-- One event on its way to one endpoint. The row is the job: due_at is null when there is nothing (more) to do. Named by the
-- event, so that collecting it again is a conflict and every repeat carries the same webhook-id. No foreign key: the log of
-- an endpoint that was removed goes with retention, in small batches.
create table webhook_deliveries (
  workspace_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  -- Whom the event is about; null for one about no person.
  person_key uuid,
  type text not null,
  -- The very text that is sent and signed.
  payload text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  due_at timestamptz,
  lease_id uuid,
  attempts smallint not null default 0,
  log jsonb not null default '[]',
  created_at timestamptz not null,
  delivered_at timestamptz,
  primary key (workspace_id, webhook_id, event_id)
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where due_at is not null;
create index webhook_deliveries_newest on webhook_deliveries (workspace_id, webhook_id, created_at desc, event_id desc);
create index webhook_deliveries_age on webhook_deliveries (created_at);
-- To empty what an erased person's events said.
create index webhook_deliveries_person on webhook_deliveries (person_key) where person_key is not null;
