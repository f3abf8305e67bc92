-- When the limits of the workspace changed, until the engine has asked again about all runs whose messages they held back by then.
alter table campaigns add column asking_since timestamptz;
