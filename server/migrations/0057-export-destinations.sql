-- Where a workspace's data is streamed out to, and how far each of its tables has come.

-- The transaction that wrote an event, as the log has it: readers follow events in this order. Events from before this migration have
-- none; a column with a default would rewrite the table.
alter table events add column txid xid8;
alter table events alter column txid set default pg_current_xact_id();

create table export_destinations (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  name text not null,
  kind text not null check (kind in ('s3', 'clickhouse')),
  settings jsonb not null,
  -- Sealed.
  credentials text not null,
  interval_seconds integer not null,
  enabled boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);

create table export_cursors (
  workspace_id uuid not null,
  destination_id uuid not null,
  table_name text not null check (table_name in ('deliveries', 'activity', 'events')),
  -- All rows before it were sent.
  place jsonb not null,
  -- The end of the batch that is being sent. A repeat sends the same range under the same name.
  planned jsonb,
  -- When the next batch is due; for a leased one, when the lease ends. Null while the destination is paused.
  due_at timestamptz,
  lease_id uuid,
  attempts integer not null default 0,
  rows_sent bigint not null default 0,
  batches_sent bigint not null default 0,
  -- What was written before it was sent; null while old rows are read.
  sent_until timestamptz,
  last_sent_at timestamptz,
  failing_since timestamptz,
  last_error text,
  gap_from timestamptz,
  gap_until timestamptz,
  primary key (workspace_id, destination_id, table_name),
  foreign key (workspace_id, destination_id) references export_destinations (workspace_id, id) on delete cascade
);
create index export_cursors_due on export_cursors (due_at) where due_at is not null;
