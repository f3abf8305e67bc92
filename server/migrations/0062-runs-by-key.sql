-- Where most people have one run, PostgreSQL 15 expects the same cost of the primary key and of the index of a person's runs. It took that index (18 takes
-- the key), and would read all entries of a person who has 100,000 runs. If it expects two runs for each person, the key is cheaper.
-- Citus refuses this change of a table in shards.
do $$
begin
  if not exists (select from pg_extension where extname = 'citus') then
    alter table campaign_runs alter column person_key set (n_distinct = -0.5);
    analyze campaign_runs (person_key);
  end if;
end $$;
