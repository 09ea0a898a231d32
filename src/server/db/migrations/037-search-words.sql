-- A search finds projects by the names of their language, whatever follows it in the tag.
create index projects_by_language_word on projects (split_part(language_key, '-', 1));
-- What an index is made of has statistics of its own, which nothing else takes before many rows changed.
analyze projects;
