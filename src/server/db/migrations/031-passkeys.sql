-- Passkeys beside one-time codes: each of them is a second factor, so codes have a date of their own.

-- Null: there are no one-time codes, and none were prepared.
alter table second_factors alter column secret drop not null;
alter table second_factors alter column prepared_at drop not null;
-- Null: no code has confirmed the secret. `since` is the second factor's, of whichever kind.
alter table second_factors add column codes_since timestamptz;
update second_factors set codes_since = since;

create table passkeys (
  id uuid primary key,
  account_id uuid not null references second_factors (account_id) on delete cascade,
  -- The authenticator made this id, in base64url; no two accounts share one.
  credential_id text not null unique,
  -- The key is public: COSE in base64url.
  public_key text not null,
  -- The number of signatures, as the authenticator counts them; 0 when it does not.
  counter bigint not null,
  -- How a browser reaches the authenticator, separated by spaces.
  transports text not null,
  name text not null,
  created_at timestamptz not null,
  -- Null: it was never used.
  last_used_at timestamptz
);
create index on passkeys (account_id);

-- Challenges that a passkey is to sign, one to be added or one that is there.
alter table account_links drop constraint account_links_purpose_check;
alter table account_links add constraint account_links_purpose_check check (purpose in
  ('verify', 'reset', 'sign-in', 'browser', 'address', 'first-factor', 'new-passkey', 'passkey'));
