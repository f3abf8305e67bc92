-- When a secret was changed last. It counts in the ETag, so that who read a resource before does not overwrite another secret unseen.
alter table providers add column credentials_changed_at timestamptz;
update providers set credentials_changed_at = updated_at where credentials is not null;
alter table export_destinations add column credentials_changed_at timestamptz;
update export_destinations set credentials_changed_at = updated_at;
alter table webhooks add column secret_changed_at timestamptz;
update webhooks set secret_changed_at = updated_at;
alter table oidc_providers add column client_secret_changed_at timestamptz;
update oidc_providers set client_secret_changed_at = updated_at;
