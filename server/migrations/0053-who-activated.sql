-- Who published each version of a campaign. Versions that were published before this migration keep null: the log of changes may name who it was.
alter table campaign_versions add column published_by jsonb;
