-- Whose turn it is at the bundled build engine: each organization whose build was taken up, by a number that grows.
create table engine_turns (
  -- The organization, or what stands for it where a job is of no product of ours.
  tenant text primary key,
  turn bigint not null
);
