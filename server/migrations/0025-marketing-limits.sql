-- How much of what is not transactional a person gets, and when. An empty object: no limit.
alter table workspaces add column marketing_limits jsonb not null default '{}';

-- Messages of such a topic are neither held back nor counted.
alter table topics add column exempt_from_limits boolean not null default false;

-- What becomes of recipients outside the sending window.
alter table broadcasts add column when_held text not null default 'wait'
  constraint broadcasts_when_held_check check (when_held in ('wait', 'drop'));

-- A row for each person whose messages were counted. A transaction locks the rows of its people before it counts, so that two of them
-- never count the same messages at once. The rows mean nothing else.
create table frequency_locks (
  person_key uuid primary key,
  workspace_id uuid not null
);
