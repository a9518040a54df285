-- Which process sends an organization's deliveries: it alone reads what is due, so that nothing is
-- written when a delivery is taken in hand, and limits per host hold over all processes. '*' is the
-- process that looks for what nobody has in hand.
create table delivery_lanes (
  organization_id varchar(25) collate "C" primary key,
  owner varchar(25) collate "C" not null,
  leased_until timestamptz(3) not null
) with (fillfactor = 50);
select make_tenant('delivery_lanes');

-- attempts that failed since the last success, and until when nothing is sent after many of them
alter table subscriptions add column failures integer not null default 0;
alter table subscriptions add column paused_until timestamptz(3);
