-- Whose an address is (docs/decisions/0012). Nobody knows who said the addresses of people that are here already: they stay usable and
-- count as unverified.
alter table people
  add column email_verified boolean not null default false,
  add column phone_verified boolean not null default false,
  -- What an application said and nothing proved: shown, and used for nothing.
  add column claimed_email text,
  add column claimed_phone text;

-- Of those who share an address the verified first, so that two steps down the index say whether one of them is meant.
drop index people_email;
drop index people_phone;
create index people_email on people (workspace_id, email, email_verified desc, identified_at desc) where email is not null;
create index people_phone on people (workspace_id, phone, phone_verified desc, identified_at desc) where phone is not null;

-- How often an application said an address that nothing proved.
alter table unverified_calls add column claimed bigint not null default 0;

-- Of the people in a broadcast's audience who share an address, the one who gets it there; gone when the broadcast is over. The address is
-- a hash, and so is the person's key.
create table broadcast_addresses (
  workspace_id uuid not null,
  broadcast_id uuid not null,
  address uuid not null,
  chosen uuid not null,
  verified boolean not null,
  identified_at timestamptz not null,
  primary key (workspace_id, broadcast_id, address),
  foreign key (workspace_id, broadcast_id) references broadcasts on delete cascade
);
