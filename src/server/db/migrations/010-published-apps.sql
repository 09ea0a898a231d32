-- What the store listing of a publication says of its app: read once, from files of the engine.
create table published_apps (
  product_publication_id uuid primary key references product_publications (id) on delete cascade,
  listing jsonb not null check (jsonb_typeof(listing) = 'object'),
  -- Null: for good. Set when a text could not be had, so that it is asked for again.
  holds_until timestamptz
);
