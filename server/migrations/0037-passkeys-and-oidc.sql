-- Public keys of members' passkeys. The counter of an authenticator never goes back.
create table member_passkeys (
  id uuid primary key,
  member_id uuid not null references members (id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index member_passkeys_member on member_passkeys (member_id);

-- Challenges that an authenticator must sign, by their SHA-256. Each is used once; one without a member is for a sign-in.
create table member_challenges (
  hash bytea primary key,
  member_id uuid references members (id) on delete cascade,
  expires_at timestamptz not null
);
create index member_challenges_expiry on member_challenges (expires_at);

-- The identity provider of a workspace. The client's secret is sealed.
create table oidc_providers (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  issuer text not null,
  client_id text not null,
  client_secret text not null,
  role_mapping jsonb,
  updated_at timestamptz not null
);

-- Who a subject of the provider is. An identity counts in the workspace of its provider only.
create table oidc_identities (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  issuer text not null,
  subject text not null,
  member_id uuid not null references members (id) on delete cascade,
  created_at timestamptz not null,
  primary key (workspace_id, issuer, subject)
);
create index oidc_identities_member on oidc_identities (member_id);

-- Sign-ins that have gone to a provider and not come back. Both hashes are of random tokens: the state, and the one in the browser's cookie.
create table oidc_starts (
  state_hash bytea primary key,
  cookie_hash bytea not null,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  expires_at timestamptz not null
);
create index oidc_starts_expiry on oidc_starts (expires_at);
