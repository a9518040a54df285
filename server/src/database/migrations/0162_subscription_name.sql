-- what its program calls a subscription, such as the workflow that it is for
alter table subscriptions add column name text;
