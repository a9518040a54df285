-- A deal and the account of its company that were written at the same moment did not see each other, and the
-- deal stayed without the account. Now who gives a deal its company, and who gives the company an account,
-- wait for each other at the row of the company.
create or replace function derive_account() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.is_account_derived := new.account_id is null;
  elsif new.account_id is distinct from old.account_id then
    -- an account was chosen, or the choice taken back
    new.is_account_derived := new.account_id is null;
  end if;
  if new.is_account_derived then
    perform from perennial.companies c
      where c.organization_id = new.organization_id and c.id = new.company_id for share;
    new.account_id := perennial.account_of_company(new.organization_id, new.company_id);
  end if;
  return new;
end $$;

create or replace function derive_accounts() returns trigger language plpgsql as $$
begin
  perform from perennial.companies c
    where c.organization_id = new.organization_id
      and (c.id = new.company_id or (tg_op = 'UPDATE' and c.id = old.company_id))
    order by c.id for no key update;
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

update projects set is_account_derived = true
  where is_account_derived
    and account_id is distinct from account_of_company(organization_id, company_id);
