-- When each attribute was said, so that what comes late does not overwrite what is newer: by name in milliseconds since 1970, and under ''
-- for all that are not named. Null is as if '' were identified_at, as it is for people that are here already.
alter table people add column attribute_times jsonb;
