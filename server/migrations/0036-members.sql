-- The people who use the dashboard. An account belongs to the installation, and memberships give it a role in workspaces.
create table members (
  id uuid primary key,
  email text not null,
  -- The address in its normal form, by which it is found.
  email_key text not null unique,
  name text,
  -- scrypt with its parameters and salt; null until the member has set one.
  password text,
  -- Sealed. It counts from totp_confirmed_at on; totp_step is the time step of the last code that was used, so that a code works once.
  totp_secret text,
  totp_confirmed_at timestamptz,
  totp_step bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- With an invite_hash the member was invited and has not accepted yet: such a row gives no right.
create table memberships (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  member_id uuid not null references members (id) on delete cascade,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  invite_hash bytea unique,
  invite_expires_at timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, member_id)
);
create index memberships_member on memberships (member_id);

-- The token itself is never stored, only its SHA-256.
create table member_sessions (
  id uuid primary key,
  member_id uuid not null references members (id) on delete cascade,
  token_hash bytea not null unique,
  -- Where the workspace's own identity provider signed the member in, the session is good for that workspace only.
  workspace_id uuid references workspaces (id) on delete cascade,
  address text,
  agent text,
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null
);
create index member_sessions_member on member_sessions (member_id);
create index member_sessions_expiry on member_sessions (expires_at);

-- One-time links: the first owner's set-up (without a member) and new passwords.
create table member_links (
  hash bytea primary key,
  kind text not null check (kind in ('setup', 'reset')),
  member_id uuid references members (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index member_links_member on member_links (member_id);

-- Recovery codes replace a code of the authenticator application. Each works once and is deleted with its use.
create table member_recovery_codes (
  member_id uuid not null references members (id) on delete cascade,
  hash bytea not null,
  primary key (member_id, hash)
);
