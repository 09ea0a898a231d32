-- The kinds of notifications of which a person wants no mail: at first none is silenced.
alter table users add column silenced_mails jsonb not null default '[]'
  check (jsonb_typeof(silenced_mails) = 'array');
