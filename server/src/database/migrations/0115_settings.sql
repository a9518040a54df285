-- How an organization looks and works; weekdays are numbers from 1, Monday, to 7 (ISO 8601).
alter table organizations
  add column language text not null default 'en',
  add column week_start smallint not null default 1 check (week_start between 1 and 7),
  add column working_days jsonb not null default '[1, 2, 3, 4, 5]',
  add column primary_color text,
  add column accent_color text,
  add column logo_url text;

-- the uploaded logo, which is shown to everybody who has its address
create table organization_logos (
  organization_id varchar(25) collate "C" not null references organizations,
  id varchar(25) collate "C" not null,
  media_type text not null,
  content bytea not null,
  primary key (organization_id, id)
);
select make_tenant('organization_logos');

-- what mails of an organization say about their sender
create table mail_defaults (
  organization_id varchar(25) collate "C" primary key references organizations,
  sender_name text,
  reply_to text,
  footer text,
  -- immediately, daily (one mail a day) or off: for whoever has chosen nothing
  delivery text not null default 'immediately' check (delivery in ('immediately', 'daily', 'off'))
);
select make_tenant('mail_defaults');
create trigger tell after insert or update or delete on mail_defaults for each row execute function tell_changed();
insert into mail_defaults (organization_id) select organization_id from organizations;

-- whether what is new is shared with customers where a request does not say
create table sharing_defaults (
  organization_id varchar(25) collate "C" primary key references organizations,
  tasks boolean not null default false,
  milestones boolean not null default false,
  documents boolean not null default false,
  meetings boolean not null default false,
  comments boolean not null default false
);
select make_tenant('sharing_defaults');
create trigger tell after insert or update or delete on sharing_defaults for each row execute function tell_changed();
insert into sharing_defaults (organization_id) select organization_id from organizations;
