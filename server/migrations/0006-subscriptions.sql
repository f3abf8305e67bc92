-- Storey 2, TO WHOM. Workspace tables. What a person chose stands with the person (people.preferences).
create table topics (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  -- What holds for a person who never chose.
  default_state text not null check (default_state in ('subscribed', 'unsubscribed')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index topics_name on topics (workspace_id, lower(name));

-- A topic stays while something sends to it: without its topic the message would reach those who turned it off.
alter table transactionals add constraint transactionals_topic foreign key (workspace_id, topic_id) references topics;

-- Addresses that get nothing, whoever has them. `hash` is salted with the workspace; `address` goes when its person is erased.
create table suppressions (
  workspace_id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  hash uuid not null,
  address text,
  reason text not null check (reason in ('hard_bounce', 'complaint', 'manual', 'stop')),
  source text not null,
  created_at timestamptz not null,
  primary key (workspace_id, channel, hash)
);
-- To find one by how it begins, and to forget it when its person is erased.
create index suppressions_address on suppressions (workspace_id, address text_pattern_ops) where address is not null;
create index suppressions_newest on suppressions (workspace_id, created_at desc, hash desc);
