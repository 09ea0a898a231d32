-- What is published under a package name is found by the name: its public address, and the list of names.
create index on product_publications (package, product_id, date_created)
  where success and package is not null;
