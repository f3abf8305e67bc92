-- Whether the people of a part of the audience wait because a sending window holds them back: after a change of the limits they are asked
-- about again. Parts that waited before this migration keep the time at which they continue.
alter table broadcast_pages add column held boolean not null default false;
