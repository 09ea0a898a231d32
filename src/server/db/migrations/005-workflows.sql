-- What running workflows remember, and what the build engine keeps for products and projects.

-- Of its definition as it was at the start: editing that touches no workflow that runs.
create table running_workflows (
  product_id uuid primary key references products (id) on delete cascade,
  scheme text not null,
  flow text,
  definition_properties text,
  workflow_properties text,
  flags jsonb not null,
  -- The build or publication that the engine is at work on.
  awaited uuid,
  -- In this visit admins were told that nobody can go on.
  lacks_actor boolean not null default false
);

-- The engine's job of a product; it outlives workflows.
create table product_jobs (
  product_id uuid primary key references products (id) on delete cascade,
  job_id bigint not null
);

-- The engine's project, once it was asked for a repository.
create table project_repositories (
  project_id uuid primary key references projects (id) on delete cascade,
  engine_id bigint not null
);

-- What the engine told of builds and releases beside what their records show.
create table build_facts (
  product_build_id uuid primary key references product_builds (id) on delete cascade,
  -- The last look could not tell how it stands.
  is_doubtful boolean not null default false,
  -- What a store counts up with every build.
  version_code text,
  package_name text,
  console_address text
);
create table release_facts (
  product_publication_id uuid primary key references product_publications (id) on delete cascade,
  is_doubtful boolean not null default false,
  console_address text
);

-- Where the engine has a file; people are given addresses of our own.
create table artifact_addresses (
  product_artifact_id uuid primary key references product_artifacts (id) on delete cascade,
  address text not null
);
