-- What an import asks and expects, as its preview found it.
alter table imports add column value_report json not null default '[]';
alter table imports add column currency_report json not null default '[]';
alter table imports add column matches json not null default '[]';
alter table imports add column questions json not null default '[]';
alter table imports add column refused json not null default '[]';

-- What an organization last chose for a value of a field, whatever the file.
create table import_values (
  organization_id varchar(25) collate "C" not null,
  module text not null,
  field text not null,
  -- the value as files have it, folded
  value text not null,
  becomes text,
  last_update_time timestamptz(3) not null default now(),
  primary key (organization_id, module, field, value)
);
select make_tenant('import_values');
