-- how many bytes the rows of an organization have, and those of deliveries that wait, as they were last counted
create table row_usage (
  organization_id varchar(25) collate "C" primary key,
  bytes bigint not null,
  delivery_bytes bigint not null,
  counted_at timestamptz(3) not null
);
select make_tenant('row_usage');
