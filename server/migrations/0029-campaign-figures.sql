-- Storey 7, WHY. The figures of a campaign and the lists behind them: runs by their end and by the goal, and passages by when a run left the step.
-- A round writes one time for 250 runs, so that PostgreSQL stores equal entries of these indexes once.
create index campaign_runs_ended on campaign_runs (workspace_id, campaign_id, status, ended_at) where ended_at is not null;
create index campaign_runs_goal on campaign_runs (workspace_id, campaign_id, goal_at) where goal_at is not null;
create index campaign_passages_left on campaign_passages (workspace_id, campaign_id, step_id, state, left_at);
drop index campaign_passages_step;
