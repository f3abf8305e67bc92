-- concurrently
-- The same questions, answered by smaller indexes. An id at the end of an index makes each of its entries different. Without it PostgreSQL
-- keeps equal entries once, with 6 bytes for each row: the deliveries of a batch have one time, and its log entries one transaction. What
-- is equal is sorted when it is read, which is a batch at most. See docs/decisions/0058-rows-stay-where-they-are.md.

-- A restore gave all entries the transaction 0, and so a feed would sort them all for each page. Their order stays.
update activity a set txid = b.n::text::xid8
from (select person_key, id, ntile(499) over (partition by workspace_id order by id) as n from activity where txid = '0') b
where a.person_key = b.person_key and a.id = b.id;
update webhooks set txid = '500' where txid = '1';

drop index concurrently if exists activity_feed_next;
create index concurrently activity_feed_next on activity (workspace_id, txid);
drop index concurrently if exists activity_feed;
alter index activity_feed_next rename to activity_feed;

drop index concurrently if exists deliveries_newest_next;
create index concurrently deliveries_newest_next on deliveries (workspace_id, queued_at desc);
drop index concurrently if exists deliveries_newest;
alter index deliveries_newest_next rename to deliveries_newest;

-- A recall goes through the deliveries of a message in the order of their times.
drop index concurrently if exists deliveries_message_next;
create index concurrently deliveries_message_next on deliveries (message_id, queued_at) where recallable;
drop index concurrently if exists deliveries_message;
alter index deliveries_message_next rename to deliveries_message;
