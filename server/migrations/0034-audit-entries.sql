-- Who changed what: one row for each change of what people author, of settings, keys and the like, written with the change.
create table audit_entries (
  workspace_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  action text not null,
  actor_type text not null,
  actor_id text,
  actor_name text not null,
  resource_type text not null,
  resource_id text not null,
  resource_name text not null,
  changes jsonb not null,
  -- How many changes of fields were too many for the row.
  left_out integer not null default 0,
  request_id text,
  primary key (workspace_id, id)
);

-- The last change of a resource, and the history of one.
create index audit_entries_resource on audit_entries (workspace_id, resource_id, id);

-- What retention deletes.
create index audit_entries_at on audit_entries (workspace_id, at);
