-- How many wrong attempts to sign in there were lately, for all processes. A crash may lose them, so nothing is written to the log of the database.
create unlogged table sign_in_attempts (
  -- The SHA-256 of what is counted: an account, a network, or both.
  name bytea primary key,
  taken integer not null,
  until timestamptz not null
);
