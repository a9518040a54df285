-- Which events a subscription wants: those whose record meets conditions (null: all), with these
-- members of the record (null: all).
alter table subscriptions add column conditions jsonb;
alter table subscriptions add column fields text[];
