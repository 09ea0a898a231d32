-- How each build engine in use answers; what people see of it is its system status.
create table engine_health (
  -- Id of the system status.
  engine_id uuid primary key,
  checked_at timestamptz not null,
  -- Checks in a row without an answer.
  misses integer not null,
  -- When the first of them was; null: it answers.
  lost_at timestamptz,
  -- When people were last told so; null: they were not.
  told_at timestamptz
);
