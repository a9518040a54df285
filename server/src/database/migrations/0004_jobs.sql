-- Jobs asked for by writes, in the writes' own transactions. A process hands them over to the job
-- library, whose tables belong to the installation; library_job is the job there, so that one handed
-- over twice is still one job.
create table asked_jobs (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  library_job uuid not null default gen_random_uuid(),
  name text not null,
  data json not null,
  -- who asked; null where the job runs as the service
  user_id varchar(25) collate "C",
  source text not null,
  run_at timestamptz(3) not null,
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
select make_tenant('asked_jobs');
