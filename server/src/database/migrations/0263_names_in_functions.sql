-- Functions that triggers call name the schema of what they read: on a distributed PostgreSQL they run on another
-- machine, whose connections have no search path of ours. Nor does Citus take a parameter of a function of SQL.
create or replace function account_of_company(organization text, company text) returns text stable language plpgsql as $$
begin
  return (select a.id from perennial.accounts a
    where a.organization_id = organization and a.company_id = company and a.deleted_at is null
    order by a.id limit 1);
end $$;

create or replace function derive_account() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.is_account_derived := new.account_id is null;
  elsif new.account_id is distinct from old.account_id then
    -- an account was chosen, or the choice taken back
    new.is_account_derived := new.account_id is null;
  end if;
  if new.is_account_derived then
    new.account_id := perennial.account_of_company(new.organization_id, new.company_id);
  end if;
  return new;
end $$;

create or replace function derive_accounts() returns trigger language plpgsql as $$
begin
  -- setting the mark anew has the account looked up anew
  update perennial.projects p set is_account_derived = true
    where p.organization_id = new.organization_id and p.is_account_derived
      and (p.company_id = new.company_id or (tg_op = 'UPDATE' and p.company_id = old.company_id))
      -- what account_of_company says: an update of Citus calls no such function with a column
      and p.account_id is distinct from (select a.id from perennial.accounts a
        where a.organization_id = new.organization_id and a.company_id = p.company_id
          and a.deleted_at is null order by a.id limit 1);
  return null;
end $$;
