-- A release says its version, and what is new in it (decision 58). What was published before has neither,
-- and shows the version of its build.

alter table product_publications
  add column release_version text,
  add column release_version_key text collate "C",
  add column release_notes text;
