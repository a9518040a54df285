-- waiting deliveries that were dropped because there were more than may wait, and when its user was last notified
alter table subscriptions add column dropped_deliveries integer not null default 0;
alter table subscriptions add column dropped_notice_at timestamptz(3);
