-- A key may be narrowed, may end by itself, and shows when it was last used. Those that are there may do everything, for ever.

alter table api_keys
  add column scopes text[] check (scopes <@ array['read', 'send', 'ingest', 'author', 'admin'] and cardinality(scopes) > 0),
  add column expires_at timestamptz,
  add column last_used_at timestamptz,
  add check (kind = 'secret' or scopes is null);
