-- Who did what that matters for safety. No resource: never in feed, hub, operations or tombstones.

create table audit_events (
  -- In the order in which they were written.
  n bigint generated always as identity primary key,
  id uuid not null unique default gen_random_uuid(),
  kind text not null,
  at timestamptz not null,
  -- Ids and names as they were: what they point to may be gone.
  actor_id uuid,
  actor_name text,
  organization_id uuid,
  subject_type text,
  subject_id uuid,
  subject_name text,
  before jsonb check (jsonb_typeof(before) = 'object'),
  after jsonb check (jsonb_typeof(after) = 'object'),
  address text
);
create index on audit_events (at, n);
create index on audit_events (organization_id, at, n);
create index on audit_events (actor_id, at, n);
create index on audit_events (subject_id, at, n);
create index on audit_events (kind, at, n);

-- It only grows: what was written stays as it is for 400 days. The name of who deleted their
-- account is all that may be taken out before.
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '400 days' then
      return old;
    end if;
  elsif tg_op = 'UPDATE' then
    if to_jsonb(new) - 'actor_name' - 'subject_name'
        = to_jsonb(old) - 'actor_name' - 'subject_name'
      and (new.actor_name is not distinct from old.actor_name
        or new.actor_name = 'Deleted account')
      and (new.subject_name is not distinct from old.subject_name
        or (new.subject_name = 'Deleted account' and old.subject_type = 'users'))
    then
      return new;
    end if;
  end if;
  raise exception 'Audit events are kept as they are for 400 days';
end $$;

create trigger refuse_rewriting before update or delete on audit_events
  for each row execute function refuse_rewriting();
create trigger refuse_truncating before truncate on audit_events
  for each statement execute function refuse_rewriting();
