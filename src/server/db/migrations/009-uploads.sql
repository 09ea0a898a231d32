-- Who uploaded a project's content, beside the files themselves.
create table repository_uploads (
  project_id uuid not null references projects (id) on delete cascade,
  -- As the folder counts them.
  number bigint not null,
  uploaded_by uuid references users (id) on delete set null,
  uploaded_at timestamptz not null,
  -- As it was called on the device that it came from.
  filename text,
  is_sample boolean not null,
  primary key (project_id, number)
);
