-- Storey 0. A workspace is the tenant; everything else is composite with its id.
create table workspaces (
  id uuid primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  timezone text not null default 'UTC',
  allow_in_app boolean not null default true,
  identity_verification text not null default 'monitor' check (identity_verification in ('off', 'monitor', 'required')),
  -- How long things are kept, and the kinds (deliveries, events, activity, content) that are kept for another time.
  retention_days integer not null default 365,
  retention jsonb not null default '{}',
  sender_defaults jsonb not null default '{}',
  quiet_defaults jsonb,
  in_app_cap jsonb,
  rate_limits jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- The key itself is never stored: `lookup` is the first 8 bytes of its SHA-256 and finds the row,
-- `hash` is the whole digest and is compared in constant time.
create table api_keys (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  kind text not null check (kind in ('secret', 'public')),
  name text not null,
  lookup bytea not null,
  hash bytea not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index api_keys_lookup on api_keys (lookup);
create index api_keys_workspace on api_keys (workspace_id, created_at);

-- Person tokens are signed with these; two may live at once, so that one can be rotated out. `secret` is sealed.
create table signing_secrets (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  kid text not null,
  secret text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (workspace_id, kid)
);

-- Calls with a public key that proved nothing, by day, added up from every process every few seconds.
create table unverified_calls (
  workspace_id uuid not null,
  day date not null,
  unsigned bigint not null default 0,
  invalid bigint not null default 0,
  primary key (workspace_id, day)
);

-- An answer that was given once is given again: the row commits with what it protects.
create table idempotency_keys (
  workspace_id uuid not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  status smallint,
  answer jsonb,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (workspace_id, route, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);

-- Files that are read into a list: how far each came, moved in the transaction of the lines that it tells of.
create table imports (
  workspace_id uuid not null,
  id uuid not null,
  -- What the file goes into, and the id of that where there are several.
  kind text not null,
  target text,
  status text not null check (status in ('running', 'done', 'failed', 'cut_off')),
  bytes bigint not null,
  bytes_read bigint not null default 0,
  rows bigint not null default 0,
  added bigint not null default 0,
  known bigint not null default 0,
  refused bigint not null default 0,
  errors jsonb not null default '[]',
  reason text,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- By the clock of the database. A process that stopped without a word stops this, too.
  beat_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index imports_age on imports (started_at);
