-- Secrets are kept wrapped with SECRET_KEY, which is not in here: a copy of the database opens none.

-- The id of the key that wraps every secret; no row: they are in clear, until the next start.
create table secret_key (
  single boolean primary key default true check (single),
  key_id text not null
);

-- Text, because a wrapped value is no JSON.
alter table keys alter column value type text using value::text;

-- A process that still has the key before must not leave behind what nobody can open.
create function refuse_other_key() returns trigger language plpgsql as $$
declare
  value text := to_jsonb(new) ->> tg_argv[0];
begin
  if value is not null and exists (
    select from secret_key where not starts_with(value, 'wrapped:1:' || key_id || ':')
  ) then
    raise exception 'A secret in % is not wrapped with the key of this database', tg_table_name;
  end if;
  return new;
end $$;

create trigger refuse_other_key before insert or update on keys
  for each row execute function refuse_other_key('value');
create trigger refuse_other_key before insert or update on engine_signing_keys
  for each row execute function refuse_other_key('private_key');
create trigger refuse_other_key before insert or update on organization_secrets
  for each row execute function refuse_other_key('build_engine_api_access_token');
