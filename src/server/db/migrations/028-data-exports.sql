-- What a person asked for of their own data: the newest alone, kept for a day.
create table data_exports (
  user_id uuid primary key references users (id) on delete cascade,
  requested_at timestamptz not null,
  -- Null while it is being made.
  finished_at timestamptz,
  -- The newest file in DATA_DIR, also while the next is being made; null: there is none yet.
  path text,
  size_bytes bigint
);
