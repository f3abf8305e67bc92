-- Campaigns that people enter on days: at a date of theirs, or on days of the week. Each is planned every quarter of an hour, because the
-- clocks of all time zones differ by quarters: what became due since then is one row for each moment in campaign_occurrences.
create table campaign_schedules (
  workspace_id uuid not null,
  campaign_id uuid not null,
  -- The trigger that is planned: a campaign that is activated with another one begins anew.
  trigger jsonb not null,
  -- Everything that was due until this time is planned.
  planned_until timestamptz not null,
  -- When it is planned next.
  due_at timestamptz not null,
  primary key (workspace_id, campaign_id),
  foreign key (workspace_id, campaign_id) references campaigns on delete cascade
);
create index campaign_schedules_due on campaign_schedules (due_at);

-- People of some zones who are due at one moment, on one day of their calendars. The row is its own job.
create table campaign_occurrences (
  workspace_id uuid not null,
  campaign_id uuid not null,
  day date not null,
  due_at timestamptz not null,
  -- The zones whose people are still to be asked, as people have them; '' stands for people without a zone.
  zones text[] not null,
  -- The last person of the page before, in the first of these zones; null before the first page.
  after_key uuid,
  status text not null default 'open' check (status in ('open', 'done', 'missed')),
  -- When the next page is due; null once it is over.
  work_at timestamptz,
  entered integer not null default 0,
  -- People whose attribute has a value that is no date.
  unreadable integer not null default 0,
  primary key (workspace_id, campaign_id, day, due_at),
  foreign key (workspace_id, campaign_id) references campaigns on delete cascade
);
create index campaign_occurrences_open on campaign_occurrences (work_at) where work_at is not null;

-- The people of one zone, a page after the other, and which zones a workspace's people are in.
create index people_zone on people (workspace_id, timezone, person_key);
