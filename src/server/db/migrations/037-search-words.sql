-- A search finds projects by the names of their language, whatever follows it in the tag.
create index projects_by_language_word on projects (split_part(language_key, '-', 1));
