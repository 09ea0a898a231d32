-- Lists of projects are saved as views, one's own or an organization's (decision 59).

create table saved_views (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text not null,
  name_key text collate "C",
  list text not null check (list in ('own', 'organization', 'all', 'active', 'archived')),
  query text not null default '',
  is_shared boolean not null default false,
  organization_id uuid references organizations (id),
  owner_id uuid references users (id),
  -- Nobody but its organization can have a shared one, and nobody but its owner another one.
  check (case when is_shared then organization_id is not null else owner_id is not null end)
);
create index on saved_views (organization_id);
create index on saved_views (owner_id);
