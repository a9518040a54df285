-- What notifies the processes of a change to what they cache is named after that.
alter function tell_changed() rename to notify_changed;
alter function tell_session() rename to notify_session;
do $$
declare
  place regclass;
begin
  for place in
    select t.tgrelid from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgname = 'tell' and c.relnamespace = 'perennial'::regnamespace
  loop
    execute format('alter trigger tell on %s rename to notify_changed', place);
  end loop;
end $$;
