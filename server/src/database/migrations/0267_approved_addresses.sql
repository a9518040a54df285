-- the app's redirect addresses when a user approved it: only to these it is approved without asking again
alter table grants add column redirect_uris jsonb;
update grants g set redirect_uris = a.redirect_uris from apps a
  where a.organization_id = g.organization_id and a.id = g.app_id;
