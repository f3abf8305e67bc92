-- Most people have one run. PostgreSQL 15 to 17 then expects one run behind (`person_key`) of the index of a person's runs, takes that index as gladly as
-- the primary key, and reads all entries of a person who has 100,000. With two runs for each person the key is the cheaper way to a run.
-- Citus refuses this change of a table in shards.
do $$
begin
  if not exists (select from pg_extension where extname = 'citus') then
    alter table campaign_runs alter column person_key set (n_distinct = -0.5);
    analyze campaign_runs (person_key);
  end if;
end $$;
