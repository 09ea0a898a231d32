-- Lists of tasks are saved as views too (decision 63).

alter table saved_views add column shows text not null default 'projects'
  check (shows in ('projects', 'tasks'));
-- Clients that do not know the column open all projects instead.
alter table saved_views add check (shows = 'projects' or list = 'all');
