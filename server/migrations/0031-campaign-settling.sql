-- What an activation decided about the runs of earlier graphs. Null where a version keeps the graph of the version before it, and in
-- versions that were published before this column: those moved or ended the runs in the activation itself.
alter table campaign_versions add column inside text check (inside in ('stay', 'move', 'end'));

-- Whether the engine still has runs of earlier graphs to move or end.
alter table campaigns add column settling boolean not null default false;
drop index campaigns_working;
create index campaigns_working on campaigns (workspace_id, id) where status = 'active' or ending or settling;

-- The engine finds runs of earlier graphs by this index.
drop index campaign_runs_standing;
create index campaign_runs_standing on campaign_runs (workspace_id, campaign_id, step_id, graph) where step_id is not null;

-- Where due_fixed, due_at is now a time of the service's clock and no longer of the campaign's own, so that a resume rewrites no run.
update campaign_runs r set due_at = r.due_at + c.behind
from campaigns c
where r.workspace_id = c.workspace_id and r.campaign_id = c.id and r.due_fixed and r.due_at is not null and c.behind > '0';
drop index campaign_runs_due;
create index campaign_runs_due on campaign_runs (campaign_id, due_fixed, due_at) where due_at is not null;
