-- A session that is refreshed changes nothing for anybody else: only what is cached of the session itself
-- is evicted. Whatever else becomes of a session concerns the organization, as before.
create function tell_session() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (to_jsonb(new) - array['refresh_hash', 'previous_hash', 'rotated_at', 'expires_at', 'user_agent', 'address'])
      = (to_jsonb(old) - array['refresh_hash', 'previous_hash', 'rotated_at', 'expires_at', 'user_agent', 'address']) then
    perform pg_notify('perennial_session', new.organization_id || ' ' || new.id);
  else
    perform pg_notify('perennial_changed', coalesce(new.organization_id, old.organization_id));
  end if;
  return null;
end $$;
drop trigger tell on sessions;
create trigger tell after update or delete on sessions for each row execute function tell_session();
