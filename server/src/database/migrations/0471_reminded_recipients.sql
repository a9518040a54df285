-- When a recipient was last reminded, and how often on their own.
alter table signature_recipients add column reminded_at timestamptz(3),
  add column reminders integer not null default 0;
