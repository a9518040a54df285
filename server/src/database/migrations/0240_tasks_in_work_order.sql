-- Lists in the order of due dates, and of what is open first: what has no date comes as if before all. The sort key is
-- written as a case, which a cursor's condition may use in an index under row-level security; coalesce it may not.
drop index tasks_in_due_order;
create index tasks_in_due_order on tasks
  (organization_id, (case when due_date is null then '-infinity'::date else due_date end), id)
  where deleted_at is null;
create index tasks_in_work_order on tasks
  (organization_id, is_completed, (case when due_date is null then '-infinity'::date else due_date end), id)
  where deleted_at is null;
