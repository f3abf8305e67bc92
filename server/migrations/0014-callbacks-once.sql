-- Signed callbacks of providers that bear no time of their own: each counts once, however often somebody sends it again.
create table callbacks_seen (
  provider_id uuid not null,
  -- SHA-256 of the signature, cut to 128 bits.
  signature uuid not null,
  until timestamptz not null,
  primary key (provider_id, signature)
);
create index callbacks_seen_until on callbacks_seen (until);

-- When a number said STOP, as its provider knows it. A START from before it takes nothing back. Null: created_at says it.
alter table suppressions add column said_at timestamptz;
