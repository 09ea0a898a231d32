-- What links to files open: whoever holds a link may have the file until the link ends.
create table file_tickets (
  -- SHA-256 of the ticket: who reads this table can open nothing.
  hash text primary key,
  -- In DATA_DIR, with slashes.
  path text not null,
  filename text not null,
  content_type text not null,
  is_inline boolean not null,
  expires_at timestamptz not null
);
create index on file_tickets (expires_at);
