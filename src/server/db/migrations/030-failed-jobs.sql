-- Why the last attempt at a job failed, as a word of protocol/jobs.ts, and when; super admins see it.
-- It is never what an error says: that may hold addresses, tokens or what was sent.
alter table queued_jobs
  add column trouble text,
  add column failed_at timestamptz;
