-- What the bundled identity provider keeps, and who signs in as whom.

create table accounts (
  id uuid primary key,
  email text not null,
  -- As addresses are compared: two accounts never differ by case alone.
  email_key text collate "C" not null unique,
  name text,
  password_hash text not null,
  is_verified boolean not null default false,
  locale text,
  created_at timestamptz not null
);

-- Secrets of links in mails; only their hashes.
create table account_links (
  hash text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset')),
  expires_at timestamptz not null
);
create index on account_links (account_id);
create index on account_links (expires_at);

-- Sessions, codes, grants and tokens of the provider.
create table oidc_records (
  model text not null,
  id text not null,
  payload jsonb not null,
  account_id uuid references accounts (id) on delete cascade,
  grant_id text,
  uid text,
  user_code text,
  consumed_at timestamptz,
  expires_at timestamptz,
  primary key (model, id)
);
create index on oidc_records (account_id);
create index on oidc_records (grant_id);
create index on oidc_records (model, uid);
create index on oidc_records (model, user_code);
create index on oidc_records (expires_at);

create table attempts (
  key text primary key,
  since timestamptz not null,
  count integer not null
);
create index on attempts (since);

-- The verified address with which someone last signed in, by \`sub\`; of any provider.
create table sign_ins (
  auth_id text primary key,
  user_id uuid not null references users (id),
  email_key text collate "C"
);
create index on sign_ins (user_id);
create index on sign_ins (email_key);
