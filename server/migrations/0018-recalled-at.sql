-- When a broadcast was recalled for the first time: its status stays the one that it ended with.
alter table broadcasts add column recalled_at timestamptz;
