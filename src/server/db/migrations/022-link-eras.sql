-- The era in which a link to sign in was made, or the link that a browser opened; null: it signs nobody in.
alter table account_links add column era integer;
-- Nobody knows the era of those that there are. They would have worked for a quarter of an hour.
delete from account_links where purpose in ('sign-in', 'browser');
