-- Where an account is signed in. A device is what was granted on it (oidc_records, model Grant).
create table signed_in_devices (
  grant_id text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- What its browser calls itself; null: it did not say.
  user_agent text,
  address text,
  last_used_at timestamptz not null
);
create index on signed_in_devices (account_id);
create index on signed_in_devices (last_used_at);

-- The new address of an account that a mailed link confirms.
alter table account_links add column email text;
alter table account_links drop constraint account_links_purpose_check;
alter table account_links add constraint account_links_purpose_check
  check (purpose in ('verify', 'reset', 'sign-in', 'browser', 'address'));
