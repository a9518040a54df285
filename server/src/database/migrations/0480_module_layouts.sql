-- Where pages of a module's records show its fields, where an organization chose it: null is as declared.
create table module_layouts (
  organization_id varchar(25) collate "C" not null references organizations deferrable,
  module text collate "C" not null,
  strip text[],
  rail text[],
  hidden text[],
  primary key (organization_id, module)
);
select make_tenant('module_layouts');
create trigger tell after insert or update or delete on module_layouts
  for each row execute function tell_changed();
