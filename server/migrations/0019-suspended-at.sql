-- Since when a workspace is suspended: what waited is canceled after 24 h. Of those that are suspended already nobody knows, so they begin now.
alter table workspaces add column suspended_at timestamptz;
update workspaces set suspended_at = now() where status = 'suspended';
-- Every claim of what is due asks which they are.
create index workspaces_suspended on workspaces (id) where status = 'suspended';
