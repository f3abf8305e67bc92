-- Who made a version of an email template, as the log of changes names them. Null for those made before this migration.
alter table email_template_versions add column created_by jsonb;
