-- Email templates: a row that names the newest version, and the versions, which never change.
create table email_templates (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  name text not null,
  -- What the newest version is made of, by whatever way, so that a change of it finds the template.
  layout_id uuid,
  snippets text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (workspace_id, id)
);

create table email_template_versions (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  cause text not null,
  -- As its author wrote it, and as it is sent: layout and snippets in place, MJML compiled, Liquid kept.
  definition jsonb not null,
  content jsonb not null,
  created_at timestamptz not null,
  primary key (workspace_id, id, version)
);

create table email_layouts (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  name text not null,
  body text not null,
  format text not null check (format in ('html', 'mjml')),
  snippets text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);

create table snippets (
  workspace_id uuid not null,
  id uuid not null,
  version integer not null,
  name text not null,
  body text not null,
  snippets text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  constraint snippets_name unique (workspace_id, name)
);
