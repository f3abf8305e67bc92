-- Storey 2, TO WHOM. A workspace table: what an author named, a filter over people or a list kept by hand.
create table audiences (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null check (kind in ('filter', 'list')),
  filter jsonb check ((filter is null) = (kind = 'list')),
  -- The audiences that the filter names itself, so that users and circles are found without reading trees.
  uses uuid[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index audiences_name on audiences (workspace_id, lower(name));

-- Who is on a list. Person-scoped: begins with the person, so that `exists` runs where the person is.
create table audience_members (
  person_key uuid not null,
  audience_id uuid not null,
  workspace_id uuid not null,
  added_at timestamptz not null,
  primary key (person_key, audience_id)
);
create index audience_members_list on audience_members (audience_id, person_key);

-- The instant that the text of an attribute or property stands for: an ISO 8601 time with its zone, or a date, which is its
-- midnight in UTC. Null for all else, where a cast would end the whole count with an error; no number, list or object is written like
-- one. Cut to milliseconds, as the service keeps times. No look-ahead in the pattern, and the calendar only past the 28th: these took
-- half of the time, and to take the value out of its JSON at each mention a third of the rest. Stable and not immutable, or it would
-- not be inlined: a cast of text to a time is stable.
create function instant_of(value text) returns timestamptz language sql stable parallel safe as $$
  select case
    when value ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9]))?$'
      and not starts_with(value, '0000')
    then case
      when substr(value, 9, 2) <= '28' or substr(value, 9, 2)::int
        <= extract(day from (substr(value, 1, 7) || '-01')::date + interval '1 month' - interval '1 day')
      then (case when length(value) = 10 then value || 'T00:00:00Z'
        else regexp_replace(value, '(\.[0-9]{3})[0-9]+', '\1') end)::timestamptz
    end
  end
$$;
