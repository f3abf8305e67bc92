-- concurrently
-- Links in messages name the person whom they were sent to. Who was merged since is found by the old key.
drop index concurrently if exists merged_people_key;
create index concurrently merged_people_key on merged_people (merged_key);
