-- Video calls that are made in a connected calendar: who is invited hears of the meeting when its link is there.
alter table meetings add column call_awaited text check (call_awaited in ('invite', 'change'));
