-- A membership opens nothing of a person to the organization until that person agrees to it.

alter table organization_memberships
  add column date_accepted timestamptz,
  add column added_by_id uuid references users (id);
create index on organization_memberships (added_by_id);

-- Whoever was a member before anybody could be asked stays one.
update organization_memberships set date_accepted = date_created;

-- Who left an organization that had added them without asking: nobody adds them again for a while.
create table declined_memberships (
  user_id uuid not null references users (id) on delete cascade,
  organization_id uuid not null references organizations (id) on delete cascade,
  declined_at timestamptz not null,
  primary key (user_id, organization_id)
);
create index on declined_memberships (organization_id);
