-- The second factor of an account: one-time codes of RFC 6238, and recovery codes.
create table second_factors (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- It is wrapped (017).
  secret text not null,
  prepared_at timestamptz not null,
  -- Null: it was prepared, and no code has confirmed it.
  since timestamptz,
  -- The number of the half minute whose code was taken last: neither it nor one before counts again.
  last_step integer not null default 0
);

create trigger refuse_other_key before insert or update on second_factors
  for each row execute function refuse_other_key('secret');

create table recovery_codes (
  -- The SHA-256 of the code.
  hash text primary key,
  account_id uuid not null references second_factors (account_id) on delete cascade
);
create index on recovery_codes (account_id);

-- In a sign-in under way the first factor was right.
alter table account_links drop constraint account_links_purpose_check;
alter table account_links add constraint account_links_purpose_check
  check (purpose in ('verify', 'reset', 'sign-in', 'browser', 'address', 'first-factor'));
