-- the deal whose winning made the account: when it is open again, the account goes with it
alter table accounts add column won_with varchar(25) collate "C";
create index accounts_won_with on accounts (organization_id, won_with) where won_with is not null;
