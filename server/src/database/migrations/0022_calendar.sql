create table meetings (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  title text not null,
  class_name text,
  location text,
  description text,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  all_day boolean not null default false,
  extended_props jsonb not null default '{}',
  -- the company that extended_props names
  props_company text collate "C" generated always as (extended_props ->> 'company_id') stored,
  link text,
  -- {rrule, exdates}
  repeat jsonb,
  project_id varchar(25) collate "C",
  milestone_id varchar(25) collate "C",
  is_video_conference boolean not null default false,
  video_conference_type text,
  timezone jsonb,
  is_meeting_cancelled boolean not null default false,
  cancel_note text,
  -- [{type, id, email, name, is_optional, response}]
  attendees jsonb not null default '[]',
  push_to_calendar_a boolean not null default false,
  push_to_calendar_b boolean not null default false,
  is_private boolean not null default false,
  source_reference text collate "C",
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint meetings_project_id_fkey foreign key (organization_id, project_id) references projects on delete cascade,
  constraint meetings_milestone_id_fkey foreign key (organization_id, milestone_id) references milestones on delete set null (milestone_id)
);
create unique index meetings_source on meetings (organization_id, source_reference) where deleted_at is null;
create index meetings_start on meetings (organization_id, starts_at, id) where deleted_at is null;
create index meetings_project on meetings (organization_id, project_id) where project_id is not null;
create index meetings_milestone on meetings (organization_id, milestone_id) where milestone_id is not null;
create index meetings_company on meetings (organization_id, props_company) where props_company is not null;
create index meetings_repeating on meetings (organization_id, starts_at) where repeat is not null and deleted_at is null;
select make_tenant('meetings');

-- the contacts among the attendees
create table meeting_contacts (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  calendar_id varchar(25) collate "C" not null,
  contact_id varchar(25) collate "C" not null,
  primary key (organization_id, id),
  unique (organization_id, calendar_id, contact_id),
  constraint meeting_contacts_calendar_id_fkey foreign key (organization_id, calendar_id) references meetings on delete cascade,
  constraint meeting_contacts_contact_id_fkey foreign key (organization_id, contact_id) references contacts on delete cascade
);
create index meeting_contacts_contact on meeting_contacts (organization_id, contact_id);
select make_tenant('meeting_contacts');

create table meeting_insights (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  calendar_id varchar(25) collate "C" not null,
  summary text,
  action_items jsonb not null default '[]',
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint meeting_insights_calendar_id_fkey foreign key (organization_id, calendar_id) references meetings on delete cascade
);
create index meeting_insights_calendar on meeting_insights (organization_id, calendar_id);
select make_tenant('meeting_insights');

-- the secret address of a user's meetings: a new generation makes the one before good for nothing
create table calendar_feeds (
  organization_id varchar(25) collate "C" not null,
  -- the user's
  id varchar(25) collate "C" not null,
  generation integer not null,
  primary key (organization_id, id)
);
select make_tenant('calendar_feeds');
