-- Where the connections of the hub are, for requests that come to another process. Nothing here
-- outlives the processes, so it need not outlive a crash of the database either: unlogged.
create unlogged table hub_processes (
  id uuid primary key,
  -- Where the other processes reach it.
  address text not null,
  -- A process that was not seen for a while is gone.
  seen_at timestamptz not null
);

create unlogged table hub_connections (
  -- SHA-256 of the connection token, in hex.
  hash text primary key,
  user_id uuid not null,
  -- Null: negotiated, and not opened yet.
  process_id uuid,
  -- Until when it may be opened.
  expires_at timestamptz not null,
  -- Its client has left, and what it posted before may still be on its way.
  has_left boolean not null default false
);

create index hub_connections_user on hub_connections (user_id);
create index hub_connections_process on hub_connections (process_id);
