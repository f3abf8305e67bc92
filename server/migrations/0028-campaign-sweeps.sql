-- Between two full sweeps of an audience only the people are evaluated whom time or the outcome of a message may have moved.
alter table campaign_sweeps
  -- When everybody is evaluated next; null: at the next sweep.
  add column full_at timestamptz,
  -- Whether everybody was evaluated some time after the activation. Until then a process may not have heard of the campaign.
  add column settled boolean not null default false,
  -- The time of the last sweep: what changed by time since then is still to be evaluated.
  add column seen_at timestamptz,
  -- What other resources made of the filter at the last full sweep, such as the filters of the audiences that it names.
  add column fingerprint text,
  -- The position in the activity up to which outcomes of messages were evaluated.
  add column feed_txid text,
  add column feed_id uuid;
