-- What makes phones take a build for a newer one of the same app: its package, and who signed it.

-- Made once for each organization. An app that was signed with it can never be updated without it.
create table engine_signing_keys (
  organization_id uuid primary key,
  -- PKCS #8 and X.509, in PEM.
  private_key text not null,
  certificate text not null,
  created timestamptz not null
);

-- Whose apps have a package; nobody else can have it.
create table engine_packages (
  name text primary key,
  organization_id uuid not null
);
