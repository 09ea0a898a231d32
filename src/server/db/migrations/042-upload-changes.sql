-- How the content changed with an upload, and which upload it brought back (decision 68).
alter table repository_uploads
  -- Counted against the upload before; null: uploaded before this was counted.
  add column files_added integer,
  add column files_changed integer,
  add column files_removed integer,
  -- The number of the upload that this one is a copy of.
  add column restored_number bigint;
