-- The runs of a person in a campaign: what ends them by an event, and what a list of runs of one person shows.
create index campaign_runs_person on campaign_runs (person_key, campaign_id, entered_at desc, id desc);
