-- Resource tables as the schema had them on the first day, and the tables that are no resources.
-- Fixed: what changes later is another migration.

create table users (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text,
  name_key text collate "C",
  given_name text,
  given_name_key text collate "C",
  family_name text,
  family_name_key text collate "C",
  email text,
  email_key text collate "C",
  phone text,
  phone_key text collate "C",
  timezone text,
  timezone_key text collate "C",
  locale text check (locale in ('en-US', 'es-419', 'fr-FR')),
  profile_visibility integer not null check (profile_visibility in (0, 1)),
  email_notification boolean not null,
  decimal_separator text check (decimal_separator in ('.', ',')),
  is_locked boolean not null,
  auth_id text,
  auth_id_key text collate "C",
  workflow_user_id uuid,
  display_name_key text collate "C"
);

create unique index on users (auth_id);

create table roles (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  role_name text not null check (role_name in ('SuperAdmin', 'OrganizationAdmin', 'AppBuilder', 'Author'))
);

create table organizations (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text,
  name_key text collate "C",
  website_url text,
  website_url_key text collate "C",
  logo_url text,
  logo_url_key text collate "C",
  public_by_default boolean not null,
  use_default_build_engine boolean not null,
  build_engine_url text,
  build_engine_url_key text collate "C",
  build_engine_available boolean,
  build_engine_api_access_token_hint text,
  build_engine_api_access_token_hint_key text collate "C",
  owner_id uuid not null references users (id)
);
create index on organizations (owner_id);

create table user_roles (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  role_name text check (role_name in ('SuperAdmin', 'OrganizationAdmin', 'AppBuilder', 'Author')),
  user_id uuid not null references users (id),
  role_id uuid not null references roles (id),
  organization_id uuid references organizations (id),
  check ((role_name = 'SuperAdmin') = (organization_id is null))
);
create unique index user_roles_once on user_roles (user_id, role_id, organization_id)
  where organization_id is not null;
create unique index user_roles_once_everywhere on user_roles (user_id, role_id)
  where organization_id is null;
create index on user_roles (role_id);
create index on user_roles (organization_id);

create table organization_invites (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text,
  name_key text collate "C",
  owner_email text not null,
  owner_email_key text collate "C",
  url text,
  url_key text collate "C",
  expires_at timestamptz,
  redeemed boolean not null
);

create table organization_memberships (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  user_id uuid not null references users (id),
  organization_id uuid not null references organizations (id),
  constraint organization_memberships_once unique (user_id, organization_id)
);
create index on organization_memberships (organization_id);

create table organization_membership_invites (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  email text not null,
  email_key text collate "C",
  expires_at timestamptz,
  redeemed boolean not null,
  role_names jsonb not null check (jsonb_typeof(role_names) = 'array'),
  group_ids jsonb not null check (jsonb_typeof(group_ids) = 'array'),
  organization_id uuid not null references organizations (id),
  invited_by_id uuid references users (id)
);
create index on organization_membership_invites (organization_id);
create index on organization_membership_invites (invited_by_id);

create table groups (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text not null,
  name_key text collate "C",
  abbreviation text not null,
  abbreviation_key text collate "C",
  owner_id uuid not null references organizations (id)
);
create index on groups (owner_id);

create table group_memberships (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  user_id uuid not null references users (id),
  group_id uuid not null references groups (id),
  constraint group_memberships_once unique (user_id, group_id)
);
create index on group_memberships (group_id);

create table application_types (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text,
  name_key text collate "C",
  description text
);

create table store_types (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text not null,
  name_key text collate "C",
  description text
);

create table store_languages (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text,
  name_key text collate "C",
  description text,
  store_type_id uuid references store_types (id)
);
create index on store_languages (store_type_id);

create table stores (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text not null,
  name_key text collate "C",
  description text,
  store_type_id uuid references store_types (id)
);
create index on stores (store_type_id);

create table organization_stores (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  organization_id uuid not null references organizations (id),
  store_id uuid not null references stores (id),
  constraint organization_stores_once unique (organization_id, store_id)
);
create index on organization_stores (store_id);

create table workflow_definitions (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text,
  name_key text collate "C",
  description text,
  workflow_scheme text,
  workflow_scheme_key text collate "C",
  workflow_business_flow text,
  workflow_business_flow_key text collate "C",
  properties text,
  enabled boolean not null,
  type integer not null check (type in (1, 2, 3)),
  store_type_id uuid references store_types (id)
);
create index on workflow_definitions (store_type_id);

create table product_definitions (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text not null,
  name_key text collate "C",
  description text,
  properties text,
  type_id uuid not null references application_types (id),
  workflow_id uuid not null references workflow_definitions (id),
  rebuild_workflow_id uuid references workflow_definitions (id),
  republish_workflow_id uuid references workflow_definitions (id)
);
create index on product_definitions (type_id);
create index on product_definitions (workflow_id);
create index on product_definitions (rebuild_workflow_id);
create index on product_definitions (republish_workflow_id);

create table organization_product_definitions (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  organization_id uuid not null references organizations (id),
  product_definition_id uuid not null references product_definitions (id),
  constraint organization_product_definitions_once unique (organization_id, product_definition_id)
);
create index on organization_product_definitions (product_definition_id);

create table projects (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text not null,
  name_key text collate "C",
  language text not null,
  language_key text collate "C",
  description text,
  is_public boolean not null,
  allow_downloads boolean not null,
  automatic_builds boolean not null,
  date_archived timestamptz,
  date_active timestamptz,
  workflow_project_url text,
  workflow_project_url_key text collate "C",
  location text,
  location_key text collate "C",
  organization_id uuid not null references organizations (id),
  type_id uuid not null references application_types (id),
  group_id uuid not null references groups (id),
  owner_id uuid references users (id)
);
create index on projects (organization_id, date_archived);
create index on projects (organization_id, date_active) where date_active is not null;
create index on projects (organization_id, date_updated);
create index on projects (date_updated) where is_public and date_archived is null;
create index on projects (type_id);
create index on projects (group_id);
create index on projects (owner_id);

create table project_imports (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  import_data text not null,
  date_finished timestamptz,
  report jsonb check (jsonb_typeof(report) = 'array'),
  organization_id uuid not null references organizations (id),
  group_id uuid not null references groups (id),
  type_id uuid not null references application_types (id),
  owner_id uuid references users (id)
);
create index on project_imports (organization_id);
create index on project_imports (group_id);
create index on project_imports (type_id);
create index on project_imports (owner_id);

create table reviewers (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  name text not null,
  name_key text collate "C",
  email text not null,
  email_key text collate "C",
  locale text not null check (locale in ('en-US', 'es-419', 'fr-FR')),
  project_id uuid not null references projects (id)
);
create index on reviewers (project_id);

create table authors (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  can_upload boolean not null,
  user_id uuid not null references users (id),
  project_id uuid not null references projects (id),
  constraint authors_once unique (project_id, user_id)
);
create index on authors (user_id);

create table products (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  properties text,
  date_published timestamptz,
  date_built timestamptz,
  version_built text,
  version_built_key text collate "C",
  publish_link text,
  publish_link_key text collate "C",
  workflow_state text,
  workflow_state_key text collate "C",
  project_id uuid not null references projects (id),
  product_definition_id uuid not null references product_definitions (id),
  store_id uuid references stores (id),
  store_language_id uuid references store_languages (id),
  product_workflow_id uuid references workflow_definitions (id),
  constraint products_once unique (project_id, product_definition_id)
);
create index on products (product_definition_id);
create index on products (store_id);
create index on products (store_language_id);
create index on products (product_workflow_id);

create table product_builds (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  build_version text,
  build_version_key text collate "C",
  build_id bigint,
  success boolean,
  phase text,
  phase_key text collate "C",
  error text,
  error_key text collate "C",
  log_url text,
  log_url_key text collate "C",
  log_tail text,
  queue_position bigint,
  product_id uuid references products (id)
);
create index on product_builds (product_id, date_created);

create table product_artifacts (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  artifact_type text,
  artifact_type_key text collate "C",
  filename text,
  filename_key text collate "C",
  content_type text,
  content_type_key text collate "C",
  file_size bigint,
  updated timestamptz,
  url text,
  url_key text collate "C",
  product_id uuid references products (id),
  product_build_id uuid references product_builds (id)
);
create index on product_artifacts (product_id);
create index on product_artifacts (product_build_id);

create table product_publications (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  release_id bigint,
  channel text,
  channel_key text collate "C",
  success boolean,
  log_url text,
  log_url_key text collate "C",
  package text,
  package_key text collate "C",
  phase text,
  phase_key text collate "C",
  error text,
  error_key text collate "C",
  product_id uuid references products (id),
  product_build_id uuid references product_builds (id)
);
create index on product_publications (product_id, date_created);
create index on product_publications (product_build_id);

create table product_transitions (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  transition_type integer not null check (transition_type in (1, 2, 3, 4, 5)),
  workflow_type integer check (workflow_type in (1, 2, 3)),
  initial_state text,
  initial_state_key text collate "C",
  destination_state text,
  destination_state_key text collate "C",
  command text,
  command_key text collate "C",
  allowed_user_names text,
  allowed_user_names_key text collate "C",
  comment text,
  date_started timestamptz,
  date_transition timestamptz,
  workflow_user_id uuid,
  product_id uuid references products (id)
);
create index on product_transitions (product_id, date_transition);

create table user_tasks (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  activity_name text,
  activity_name_key text collate "C",
  status text,
  status_key text collate "C",
  comment text,
  commands jsonb not null check (jsonb_typeof(commands) = 'array'),
  user_id uuid references users (id),
  product_id uuid references products (id),
  assigned_id uuid references users (id)
);
create index on user_tasks (user_id, date_updated);
create index on user_tasks (product_id);
create index on user_tasks (assigned_id);

create table notifications (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  message text,
  message_id text,
  message_id_key text collate "C",
  message_values jsonb check (jsonb_typeof(message_values) = 'object'),
  link_url text,
  link_url_key text collate "C",
  date_read timestamptz,
  date_email_sent timestamptz,
  send_email boolean not null,
  user_id uuid references users (id)
);
create index on notifications (user_id, date_created);

create table system_statuses (
  id uuid primary key,
  version bigint not null check (version > 0),
  date_created timestamptz not null,
  date_updated timestamptz not null,
  build_engine_url text,
  build_engine_url_key text collate "C",
  build_engine_api_access_token_hint text,
  build_engine_api_access_token_hint_key text collate "C",
  system_available boolean not null
);

-- Change feed ---------------------------------------------------------------------------------

-- One row. Its lock makes writers wait for each other, so that n has no gaps and grows in the order of commits.
create table feed_head (
  single boolean primary key check (single),
  n bigint not null
);
insert into feed_head (single, n) values (true, 0);

create table feed (
  n bigint not null,
  k integer not null,
  kind text not null check (kind in ('record', 'sight', 'viewer')),
  type text not null,
  id uuid not null,
  op text not null check (op in ('add', 'update', 'remove')),
  fields jsonb not null check (jsonb_typeof(fields) = 'array'),
  before jsonb,
  after jsonb,
  changes jsonb not null check (jsonb_typeof(changes) = 'array'),
  by uuid,
  at timestamptz not null,
  primary key (n, k)
);
create index on feed (type, id, n);
create index on feed (at);

create table tombstones (
  type text not null,
  id uuid not null,
  n bigint not null,
  scope jsonb not null,
  by uuid,
  at timestamptz not null,
  primary key (type, id)
);
create index on tombstones (at);

-- Verdicts on changes, by which a repeated one is answered.
create table changes (
  author uuid not null,
  id uuid not null,
  digest text not null,
  verdict jsonb not null,
  at timestamptz not null,
  primary key (author, id)
);
create index on changes (at);

-- A random name made with the database; a part of every cursor.
create table database_identity (
  single boolean primary key check (single),
  identity text not null
);

-- Work for later ------------------------------------------------------------------------------

create table jobs (
  id uuid primary key,
  kind text not null,
  -- At most one waiting job has a given key.
  key text unique,
  payload jsonb not null,
  run_at timestamptz not null,
  attempts integer not null default 0,
  locked_until timestamptz,
  last_error text,
  created_at timestamptz not null
);
create index on jobs (run_at);

-- Secrets -------------------------------------------------------------------------------------

create table organization_secrets (
  organization_id uuid primary key references organizations (id) on delete cascade,
  build_engine_api_access_token text
);

create table invite_tokens (
  -- SHA-256 of the token, in hex.
  hash text primary key,
  organization_invite_id uuid unique references organization_invites (id) on delete cascade,
  membership_invite_id uuid unique references organization_membership_invites (id) on delete cascade,
  check ((organization_invite_id is null) <> (membership_invite_id is null))
);

-- Keys of this installation by name, such as the one that tickets are signed with.
create table keys (
  name text primary key,
  value jsonb not null
);
