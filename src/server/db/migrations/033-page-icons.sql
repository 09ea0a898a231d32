-- The icon as the download page shows it, in base64: made small once for each publication.
alter table published_apps add column page_icon text;
