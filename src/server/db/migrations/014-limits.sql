-- How often things were done, over all processes (wire 15.2). These rows take the place of attempts.
drop table attempts;
create table limit_counts (
  -- The limit's name and who it is counted for.
  key text collate "C" primary key,
  count integer not null,
  -- The window begins with the first of its kind; after its end the count begins anew.
  ends_at timestamptz not null
);
create index on limit_counts (ends_at);

-- Users whom a start without demo locked because their password is published.
create table demo_locks (
  user_id uuid primary key references users (id) on delete cascade
);
