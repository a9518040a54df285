-- The roles of templates, their versions and drafts, and the version from which a project was made.
alter table templates
  add column roles jsonb not null default '[]',
  add column published_version integer not null default 1,
  -- how often the draft was stored; null without one
  add column draft_version integer;

create table template_versions (
  organization_id varchar(25) collate "C" not null,
  template_id varchar(25) collate "C" not null,
  -- 0 is the draft
  number integer not null,
  note text,
  template_config jsonb not null,
  roles jsonb not null default '[]',
  created_by varchar(25) collate "C",
  creation_time timestamptz(3) not null default now(),
  primary key (organization_id, template_id, number),
  constraint template_versions_template_id_fkey foreign key (organization_id, template_id)
    references templates on delete cascade deferrable initially immediate
);
select make_tenant('template_versions');

alter table projects add column template_version integer;
update projects set template_version = 1 where template_id is not null;
select make_filterable('templates'), make_filterable('projects');

-- the line of a template from which it was made, as `template/line`
alter table milestones add column template_ref text;
update tasks t set template_ref = p.template_id || '/' || t.template_ref
from projects p
where p.organization_id = t.organization_id and p.id = t.project_id
  and p.template_id is not null and t.template_ref is not null;
