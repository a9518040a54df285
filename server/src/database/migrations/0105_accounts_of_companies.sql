-- A deal or project for which no account was chosen belongs to its company's account, whichever write
-- gives it the company, or the company the account: creation, update, merge, undo, deletion, restoration.
-- Of several accounts of a company it is the one created first.
alter table projects add column is_account_derived boolean not null default true;

create function account_of_company(organization text, company text) returns text stable
language sql as $$
  select a.id from accounts a
  where a.organization_id = organization and a.company_id = company and a.deleted_at is null
  order by a.id limit 1
$$;

-- Until now the account was looked up once, on creation.
update projects set is_account_derived = false where account_id is not null;
update projects set account_id = account_of_company(organization_id, company_id)
  where account_id is null and company_id is not null;

create function derive_account() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.is_account_derived := new.account_id is null;
  elsif new.account_id is distinct from old.account_id then
    -- an account was chosen, or the choice taken back
    new.is_account_derived := new.account_id is null;
  end if;
  if new.is_account_derived then
    new.account_id := account_of_company(new.organization_id, new.company_id);
  end if;
  return new;
end $$;

create trigger derive_account_made before insert on projects for each row
  when (new.account_id is not null or new.company_id is not null)
  execute function derive_account();
create trigger derive_account_changed before update of account_id, company_id, is_account_derived
  on projects for each row execute function derive_account();

create function derive_accounts() returns trigger language plpgsql as $$
begin
  -- setting the mark anew has the account looked up anew
  update projects p set is_account_derived = true
    where p.organization_id = new.organization_id and p.is_account_derived
      and (p.company_id = new.company_id or (tg_op = 'UPDATE' and p.company_id = old.company_id))
      and p.account_id is distinct from account_of_company(p.organization_id, p.company_id);
  return null;
end $$;

create trigger derive_accounts_made after insert on accounts for each row
  when (new.company_id is not null) execute function derive_accounts();
create trigger derive_accounts_changed after update of company_id, deleted_at on accounts for each row
  when (new.company_id is distinct from old.company_id
    or (new.deleted_at is null) <> (old.deleted_at is null))
  execute function derive_accounts();

-- Few accounts have a currency of their own, and sums over all deals need just these.
create index accounts_currency on accounts (organization_id, id) where currency_unit is not null;
