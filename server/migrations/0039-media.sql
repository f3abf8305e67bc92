-- The images of the media library. Their bytes are in the data folder or in a bucket, under the name in `file`.

create table media (
  workspace_id uuid not null,
  id uuid not null,
  -- Its name follows from its content: the same image has the same name.
  file text not null,
  thumbnail text not null,
  -- 'storing' until its bytes are stored, 'removing' until they are removed: only 'stored' is shown. Whatever a killed process
  -- leaves in another state, the job media.clear finishes.
  state text not null check (state in ('storing', 'stored', 'removing')),
  name text not null,
  alt text,
  kind text not null check (kind in ('png', 'jpeg', 'gif', 'webp')),
  width integer not null,
  height integer not null,
  frames integer not null,
  bytes integer not null,
  thumbnail_bytes integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  constraint media_file unique (workspace_id, file)
);

create index media_unfinished on media (updated_at) where state <> 'stored';
