create table tags (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  tag_name text not null,
  description text,
  tag_type integer,
  tag_owner varchar(25) collate "C",
  is_predefined boolean not null default false,
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint tags_tag_owner_fkey foreign key (organization_id, tag_owner) references users
);
create unique index tags_name_key on tags (organization_id, lower(tag_name), coalesce(tag_type, 0)) where deleted_at is null;
create index tags_owner on tags (organization_id, tag_owner) where tag_owner is not null;
select make_tenant('tags');

create table companies (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  display_id text,
  company_name text not null,
  company_name_key text collate "C" generated always as (lower(company_name)) stored,
  domain text,
  linkedin_url text,
  twitter_url text,
  website_url text,
  hq_location text,
  hq_country text,
  industry text,
  employee_range text,
  revenue_range text,
  estimated_arr double precision,
  description text,
  logo_url text,
  company_owner varchar(25) collate "C",
  company_type text,
  lead_status text,
  icp_fit text,
  customer_segment text,
  connection_strength text,
  connection_source text,
  operating_regions jsonb,
  category text,
  vendor_being_replaced text,
  replacement_urgency text,
  partner_type text,
  parent_company varchar(25) collate "C",
  investors jsonb,
  partners jsonb,
  subsidiaries jsonb,
  address jsonb,
  tags jsonb,
  is_draft boolean not null default false,
  record_source text not null,
  custom_fields jsonb not null default '{}',
  -- the domain, or the case-folded name; null where a duplicate was let through on purpose
  unique_key text collate "C",
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint companies_company_owner_fkey foreign key (organization_id, company_owner) references users,
  constraint companies_parent_company_fkey foreign key (organization_id, parent_company) references companies
);
create unique index companies_unique_key on companies (organization_id, unique_key) where deleted_at is null;
create index companies_newest on companies (organization_id, id) where deleted_at is null;
create index companies_name on companies (organization_id, company_name_key, id) where deleted_at is null;
create index companies_parent on companies (organization_id, parent_company) where parent_company is not null;
create index companies_owner on companies (organization_id, company_owner) where company_owner is not null;
select make_tenant('companies');

alter table accounts add constraint accounts_company_id_fkey foreign key (organization_id, company_id) references companies;
alter table accounts add constraint accounts_account_owner_fkey foreign key (organization_id, account_owner) references users;

create table contacts (
  organization_id varchar(25) collate "C" not null,
  id varchar(25) collate "C" not null,
  display_id text,
  full_name text not null,
  full_name_key text collate "C" generated always as (lower(full_name)) stored,
  profile_image text,
  primary_email text,
  primary_email_key text collate "C" generated always as (lower(primary_email)) stored,
  company_id varchar(25) collate "C",
  lead_source text,
  contact_owner varchar(25) collate "C",
  lead_status text,
  person_category text,
  custom_fields jsonb not null default '{}',
  contact_stage text,
  is_draft boolean not null default false,
  job_title text,
  department text,
  location jsonb,
  language text,
  seniority_level text,
  buying_role text,
  influence_level integer,
  interest_level integer,
  preferred_communication_channel text,
  do_not_contact text,
  phone text,
  whatsapp_number text,
  campaign text,
  timezone text,
  signoff_authority text,
  lead_score double precision,
  last_activity_date timestamptz(3),
  linkedin_url text,
  twitter_url text,
  linked_user varchar(25) collate "C",
  reports_to varchar(25) collate "C",
  reporting_hierarchy_level integer,
  reporting_confidence double precision,
  reporting_source text,
  tags jsonb,
  record_source text not null,
  -- the lower-cased e-mail; null where there is none or a duplicate was let through on purpose
  unique_key text collate "C",
  created_by varchar(25) collate "C",
  version integer not null default 1,
  creation_time timestamptz(3) not null default now(),
  last_update_time timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (organization_id, id),
  constraint contacts_company_id_fkey foreign key (organization_id, company_id) references companies,
  constraint contacts_contact_owner_fkey foreign key (organization_id, contact_owner) references users,
  constraint contacts_linked_user_fkey foreign key (organization_id, linked_user) references users,
  constraint contacts_reports_to_fkey foreign key (organization_id, reports_to) references contacts
);
create unique index contacts_unique_key on contacts (organization_id, unique_key) where deleted_at is null;
create index contacts_name on contacts (organization_id, full_name_key, id) where deleted_at is null;
create index contacts_email on contacts (organization_id, primary_email_key, id) where deleted_at is null;
-- an import that was taken back leaves its rows for a while: lists do not walk through them
create index contacts_newest on contacts (organization_id, id) where deleted_at is null;
create index contacts_company on contacts (organization_id, company_id, id) include (deleted_at) where company_id is not null;
create index contacts_owner on contacts (organization_id, contact_owner) where contact_owner is not null;
create index contacts_linked_user on contacts (organization_id, linked_user) where linked_user is not null;
create index contacts_reports_to on contacts (organization_id, reports_to) where reports_to is not null;
select make_tenant('contacts');

alter table accounts add constraint accounts_customer_contact_fkey foreign key (organization_id, customer_contact) references contacts;

-- Filters compare text case-folded. Without statistics on the folded values the planner expects one
-- row in two hundred and reads a whole organization where walking the newest rows would do.
create statistics companies_industry on lower(industry) from companies;
create statistics companies_company_type on lower(company_type) from companies;
create statistics companies_customer_segment on lower(customer_segment) from companies;
create statistics companies_employee_range on lower(employee_range) from companies;
create statistics companies_hq_country on lower(hq_country) from companies;
create statistics companies_lead_status on lower(lead_status) from companies;
create statistics contacts_contact_stage on lower(contact_stage) from contacts;
create statistics contacts_department on lower(department) from contacts;
create statistics contacts_job_title on lower(job_title) from contacts;
create statistics contacts_lead_source on lower(lead_source) from contacts;
create statistics contacts_lead_status on lower(lead_status) from contacts;
create statistics contacts_person_category on lower(person_category) from contacts;
create statistics contacts_seniority_level on lower(seniority_level) from contacts;
