-- The names of events, of their properties and of people's attributes, for editors. Values are not kept: they are read from the
-- newest events and people when somebody asks.

create table catalog_events (
  workspace_id uuid not null,
  name text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  -- How many were recorded on `day` (UTC), and on the day before it.
  day date not null,
  of_day bigint not null,
  of_day_before bigint not null,
  primary key (workspace_id, name)
);

-- `event` is empty for the attributes of people. `types` has one bit for each type, see catalog/names.ts.
create table catalog_fields (
  workspace_id uuid not null,
  event text not null,
  name text not null,
  types smallint not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (workspace_id, event, name)
);

-- How far the catalog of a workspace is filled from the events and people that were there before it.
create table catalog_fills (
  workspace_id uuid primary key,
  after_event text not null default '',
  after_key uuid,
  done boolean not null default false
);
