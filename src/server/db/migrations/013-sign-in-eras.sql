-- Sign-ins end when the account's era is raised: what was given out in an earlier era no longer counts.

alter table accounts add column era integer not null default 0;

-- The era in which a session, a sign-in under way, a code or a refresh token began; null: it signs nobody in.
alter table oidc_records add column era integer;
update oidc_records set era = 0 where account_id is not null and model <> 'Grant';
-- Until now nobody knew whose these were, so a new password did not end them.
delete from oidc_records where model = 'Interaction' and payload #> '{result,login}' is not null;

-- Later sign-ups for an address that nobody has confirmed yet; each has its own password and its own link.
create table pending_sign_ups (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  email text not null,
  name text,
  password_hash text not null,
  locale text,
  expires_at timestamptz not null
);
create index on pending_sign_ups (account_id);
create index on pending_sign_ups (expires_at);

alter table account_links add column sign_up_id uuid references pending_sign_ups (id) on delete cascade;
create index on account_links (sign_up_id);
alter table account_links drop constraint account_links_purpose_check;
alter table account_links add constraint account_links_purpose_check
  check (purpose in ('verify', 'reset', 'sign-in', 'browser'));
