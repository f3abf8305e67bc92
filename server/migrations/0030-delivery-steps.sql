-- Which step of a campaign sent a delivery, and which of the step's messages it is: 0 is its own, the others are those of `escalate`. Both
-- are null for the deliveries of other sources, which so grow by no byte: the bitmap of nulls has room for 56 columns in 7 bytes.
alter table deliveries add column step_id text;
alter table deliveries add column step_position smallint;
