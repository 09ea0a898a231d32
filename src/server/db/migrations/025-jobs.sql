-- Jobs in one table of our own, in place of the tables of pg-boss (006); what waits is carried over.
-- A job is waiting, active (alive_at: the last sign of life of its process), or was released by its process.
create table queued_jobs (
  id uuid primary key,
  name text not null,
  -- At most one job of a name waits under a key.
  key text,
  data jsonb not null,
  failures int not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'released', 'active')),
  due_at timestamptz not null,
  alive_at timestamptz
);

create unique index queued_jobs_waiting on queued_jobs (name, key) where state = 'waiting';
create index queued_jobs_due on queued_jobs (name, due_at, id) where state <> 'active';
-- A job waits while one further along has its key.
create index queued_jobs_begun on queued_jobs (name, key) where state <> 'waiting';

insert into queued_jobs (id, name, key, data, failures, state, due_at, alive_at)
select id, data->>'name',
  case when singleton_key <> id::text then substr(singleton_key, length(data->>'name') + 2) end,
  coalesce(data->'data', 'null'), coalesce((data->>'failures')::int, 0),
  case state when 'active' then 'active' when 'retry' then 'released' else 'waiting' end,
  start_after, started_on
from jobs.job
where name = 'slipway' and state in ('created', 'retry', 'active');

drop schema jobs cascade;
