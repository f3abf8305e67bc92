-- max_impressions and min_interval hold for a person and message, over all deliveries of it, whichever broadcast or step made them.

-- How often a person was shown a message, over its versions. Rows exist only for messages with such a limit, so that others pay nothing.
-- `revision` guards: whoever was overtaken decides again.
create table in_app_counts (
  person_key uuid not null,
  message_id uuid not null,
  impressions integer not null,
  last_impression_at timestamptz,
  revision integer not null,
  primary key (person_key, message_id)
);

-- In-app: its limits hold over all that the person has of the message, see in_app_counts. Kept here too, so that sync does not
-- look up a count for what has no limits.
alter table deliveries add column shared_limits boolean not null default false;
-- In-app: the earliest impression, and the earliest click or dismissal, as the client's clock says; an impression without a time is
-- before all. They say whether a click's impression was reported, in whatever order reports come.
alter table deliveries add column first_seen_at timestamptz;
alter table deliveries add column first_acted_at timestamptz;

update in_app_message_versions set definition = jsonb_set(definition, '{persistence,per}', '"person"');

create temporary table limited_versions on commit drop as
select id, version from in_app_message_versions
where definition #> '{persistence,max_impressions}' <> 'null' or definition #> '{persistence,min_interval}' <> 'null';

insert into in_app_counts (person_key, message_id, impressions, last_impression_at, revision)
select person_key, message_id, sum(impressions), max(last_impression_at), 0 from deliveries
where channel = 'in_app' and impressions > 0 and message_id in (select id from limited_versions)
group by person_key, message_id;

-- What is over is not looked at again. No number changes with this column, so the counting triggers have nothing to do.
alter table deliveries disable trigger deliveries_count_update;
update deliveries d set shared_limits = true from limited_versions v
where d.live and d.channel = 'in_app' and d.message_id = v.id and d.message_version = v.version;
alter table deliveries enable trigger deliveries_count_update;
