create table providers (
  workspace_id uuid not null,
  id uuid not null,
  channel text not null check (channel in ('email', 'push', 'sms')),
  kind text not null,
  name text not null,
  priority integer not null default 0,
  rate_per_second double precision,
  settings jsonb not null default '{}',
  credentials text,
  -- Until then nothing is handed to it, as the process that last let it rest or found it well says. For the API to show;
  -- each process decides for itself.
  resting_until timestamptz,
  resting_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
-- A callback names its provider and no workspace.
create unique index providers_id on providers (id);

-- What the local provider captured instead of sending.
create table outbox (
  workspace_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  channel text not null,
  recipient text not null,
  message jsonb not null,
  captured_at timestamptz not null,
  primary key (workspace_id, id)
);
-- A send that is repeated after a crash is captured once.
create unique index outbox_delivery on outbox (workspace_id, delivery_id, recipient);
