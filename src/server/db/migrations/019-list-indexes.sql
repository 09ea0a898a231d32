-- Lists of projects are read in the order of an index, so a page costs the same however many there are.
-- Those that are dropped are the beginnings of new ones.
create index projects_by_name on projects (organization_id, name_key, id);
create index projects_by_update on projects (organization_id, date_updated desc, id);
create index projects_by_activity on projects (organization_id, date_active desc nulls last, id);
create index projects_of_owner on projects (owner_id, name_key, id);
-- What a total has to look at: it is counted in this index alone, without the rows.
create index projects_to_count on projects (organization_id, date_archived) include (is_public, date_active);
drop index projects_organization_id_date_archived_idx;
drop index projects_organization_id_date_active_idx;
drop index projects_organization_id_date_updated_idx;
drop index projects_owner_id_idx;

-- A word inside a name is found by the groups of three letters that it has. Where the extension
-- cannot be made (the embedded database has none, and some administrators forbid it), searching
-- reads every name instead. Nothing waits to be sorted in: a search would read that first.
do $$
begin
  create extension if not exists pg_trgm;
  create index projects_name_words on projects using gin (name_key gin_trgm_ops) with (fastupdate = off);
  create index projects_language_words on projects using gin (language_key gin_trgm_ops) with (fastupdate = off);
  create index users_name_words on users using gin (display_name_key gin_trgm_ops) with (fastupdate = off);
exception
  when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
    raise notice 'Searching reads every name: the extension pg_trgm cannot be used here';
end
$$;
