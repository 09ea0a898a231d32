-- A package name is of one organization, whichever engine built what has it.

alter table engine_packages rename to package_names;
delete from package_names where organization_id not in (select id from organizations);
alter table package_names
  add constraint package_names_organization_id_fkey
    foreign key (organization_id) references organizations (id) on delete cascade,
  -- When it was claimed or moved; null: before that was noted.
  add column since timestamptz,
  -- Why a super admin moved it; null: it is of whoever was first.
  add column reason text;
create index on package_names (organization_id);

-- What was published before is of the organization that was first. Names below app.slipway are made
-- of a product's id: they are of that product, whoever has published under them.
insert into package_names (name, organization_id, since)
select distinct on (publication.package)
    publication.package, project.organization_id, publication.date_created
  from product_publications publication
    join products product on product.id = publication.product_id
    join projects project on project.id = product.project_id
  where publication.success and publication.package is not null
    and (lower(publication.package) not like 'app.slipway.%'
      or publication.package = 'app.slipway.p' || replace(product.id::text, '-', ''))
  order by publication.package, publication.date_created, publication.id
on conflict (name) do nothing;

-- Products that lost their public address by it: the admins of their organizations are told once.
create table package_name_losses (
  product_id uuid primary key references products (id) on delete cascade,
  name text not null
);
insert into package_name_losses (product_id, name)
select distinct on (product.id) product.id, publication.package
  from product_publications publication
    join products product on product.id = publication.product_id
    join projects project on project.id = product.project_id
  where publication.success and publication.package is not null
    and not exists (select 1 from package_names claim
      where claim.name = publication.package and claim.organization_id = project.organization_id)
  order by product.id, publication.date_created desc, publication.id desc;
