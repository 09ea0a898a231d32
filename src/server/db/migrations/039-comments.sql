-- People comment on products, and removals of a project can be told by name (decision 60).

create table product_comments (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  text text not null,
  user_id uuid not null references users (id),
  product_id uuid not null references products (id)
);
create index on product_comments (product_id, date_created);
create index on product_comments (user_id);

-- What was removed of a project, for its timeline. Older removals have no name any more.
alter table tombstones
  add column project_id uuid,
  add column product_id uuid,
  add column name text;
create index on tombstones (project_id, at) where project_id is not null;

create index on repository_uploads (project_id, uploaded_at);

-- Who became an author of a project, or was it: the project stands in the values alone.
create index audit_events_of_authors
  on audit_events ((coalesce(before, after) ->> 'project'), at, n)
  where kind in ('author-added', 'author-removed');
