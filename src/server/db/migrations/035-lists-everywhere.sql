-- The directory and the lists with all organizations in view are read in the order of an index too,
-- one for each order by a field of the project. By name, from which people page on, the index has all
-- that a page that is skipped is asked for.
create index projects_by_name_everywhere on projects (name_key, id)
  include (organization_id, is_public, date_archived);
create index projects_by_update_everywhere on projects (date_updated desc, id);
create index projects_by_activity_everywhere on projects (date_active desc nulls last, id);
create index projects_by_creation on projects (date_created, id);
create index projects_by_language on projects (language_key, id);

-- Outsiders meet the owners of public projects: one project of a person's is enough to know.
create index projects_in_directory_of_owner on projects (owner_id)
  where is_public and date_archived is null;
