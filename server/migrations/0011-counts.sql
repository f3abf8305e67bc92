-- What became of deliveries, in numbers. Triggers append what each statement changes, the job analytics.roll_up.v1 adds it up, and
-- who reads adds both: whatever writes a delivery, the sums are those of counting the rows, at any moment and after any crash.
-- No row is ever contended: the live path only appends.

-- Appended by the triggers and not added up yet: a row for each statement, metric and quarter of an hour, not for each delivery.
create table delivery_changes (
  workspace_id uuid not null,
  source text not null,
  source_id uuid,
  variant text,
  channel text not null,
  metric text not null,
  slot timestamptz not null,
  n integer not null
)
-- All of it goes every minute. Vacuumed by the usual fifth of a table that is empty most of the time, it would be read past what is gone.
with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create index delivery_changes_workspace on delivery_changes (workspace_id);

-- Added up, by quarters of an hour: the offsets of all zones are whole ones (Kathmandu +5:45), so the hours and days of each are sums of them.
create table delivery_counts (
  workspace_id uuid not null,
  source text not null,
  source_id uuid,
  variant text,
  channel text not null,
  slot timestamptz not null,
  sent bigint not null,
  delivered bigint not null,
  shown bigint not null,
  opened bigint not null,
  clicked bigint not null,
  dismissed bigint not null,
  bounced bigint not null,
  unsubscribed bigint not null,
  failed bigint not null
);
create unique index delivery_counts_key on delivery_counts (workspace_id, source_id, source, channel, slot, variant) nulls not distinct;

-- The same by days of UTC: a range of time is whole ones of these and the quarters at its two ends. The sources of a year are read from
-- 365 rows each, and not from 35,000.
create table delivery_days (
  workspace_id uuid not null,
  source text not null,
  source_id uuid,
  variant text,
  channel text not null,
  slot timestamptz not null,
  sent bigint not null,
  delivered bigint not null,
  shown bigint not null,
  opened bigint not null,
  clicked bigint not null,
  dismissed bigint not null,
  bounced bigint not null,
  unsubscribed bigint not null,
  failed bigint not null
);
create unique index delivery_days_key on delivery_days (workspace_id, source_id, source, channel, slot, variant) nulls not distinct;

-- By quarters and without what sent it. A workspace with 100 transactionals would read 3,500,000 rows of the other table for a year, and reads
-- at most 35,000 for each channel and source of this.
create table workspace_counts (
  workspace_id uuid not null,
  slot timestamptz not null,
  channel text not null,
  source text not null,
  sent bigint not null,
  delivered bigint not null,
  shown bigint not null,
  opened bigint not null,
  clicked bigint not null,
  dismissed bigint not null,
  bounced bigint not null,
  unsubscribed bigint not null,
  failed bigint not null,
  primary key (workspace_id, slot, channel, source)
);

-- One function for each kind of statement, from one text: they differ only in what is added and what is taken off. Rows that fall into
-- the same quarters are counted together first, so a page of 1,000 costs one group and not 8,000.
do $do$
declare
  kind record;
begin
  for kind in
    select * from (values
      ('insert', 'new table as made', 'select *, 1 as by from made'),
      ('delete', 'old table as gone', 'select *, -1 as by from gone'),
      ('update', 'new table as made old table as gone', 'select *, 1 as by from made union all select *, -1 from gone')
    ) as k (name, tables, rows)
  loop
    execute format($create$
      create function count_%1$s() returns trigger language plpgsql as $function$
      begin
        insert into delivery_changes (workspace_id, source, source_id, variant, channel, metric, slot, n)
        select g.workspace_id, g.source, g.source_id, g.variant, g.channel, m.metric, m.slot, sum(g.n)
        from (
          select workspace_id, source, source_id, variant, channel, sum(by) as n,
            date_bin('15 minutes', case when channel <> 'in_app' then sent_at when status <> 'failed' then queued_at end, 'epoch') as sent,
            date_bin('15 minutes', delivered_at, 'epoch') as delivered,
            date_bin('15 minutes', shown_at, 'epoch') as shown,
            date_bin('15 minutes', opened_at, 'epoch') as opened,
            date_bin('15 minutes', clicked_at, 'epoch') as clicked,
            date_bin('15 minutes', dismissed_at, 'epoch') as dismissed,
            date_bin('15 minutes', bounced_at, 'epoch') as bounced,
            date_bin('15 minutes', unsubscribed_at, 'epoch') as unsubscribed,
            date_bin('15 minutes', case when status in ('failed', 'suppressed') then coalesce(failed_at, queued_at) end, 'epoch') as failed
          from (%2$s) as changed
          group by 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15
        ) as g
        cross join lateral (values ('sent', sent), ('delivered', delivered), ('shown', shown), ('opened', opened), ('clicked', clicked),
          ('dismissed', dismissed), ('bounced', bounced), ('unsubscribed', unsubscribed), ('failed', failed)) as m (metric, slot)
        where m.slot is not null
        group by 1, 2, 3, 4, 5, 6, 7
        having sum(g.n) <> 0;
        return null;
      end $function$
    $create$, kind.name, kind.rows);
    execute format('create trigger deliveries_count_%1$s after %1$s on deliveries referencing %2$s for each statement execute function count_%1$s()',
      kind.name, kind.tables);
  end loop;
end $do$;

create function count_none() returns trigger language plpgsql as $$
begin
  truncate delivery_changes, delivery_counts, delivery_days, workspace_counts;
  return null;
end $$;
create trigger deliveries_count_truncate after truncate on deliveries for each statement execute function count_none();
