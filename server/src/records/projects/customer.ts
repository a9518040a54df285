import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { sql } from '../../kit/ground/sql.ts'
import { isAddressOrPath } from '../../kit/ground/web-address.ts'
import { contradiction, saysTheSame } from '../../kit/record/names.ts'
import { mayCreate, scope } from '../../kit/record/scope.ts'
import { insert, lock, update } from '../../kit/write/write.ts'
import { lockName } from '../../kit/write/lock-name.ts'
import { Account } from '../../model/accounts/account.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { namedUser, userByEmail } from '../contacts/linked-user.ts'
import type { AccountInput, CustomerInput } from './input.ts'

/**
 * The account in a nested body: the one with its id, else the one with its name, else a new one.
 * Undefined for an empty form; 400 for an unknown id, or if the `account_id` beside it is another
 * account's, 403 if the caller may not create one.
 */
export async function accountFor(
  ctx: Context,
  input: AccountInput | null | undefined,
  account_id?: unknown,
) {
  if (!input) return undefined
  const account = await accountNamed(ctx, input)
  const words = [account?.id, input.account_name?.trim()]
  if (account && account_id && !words.some((word) => saysTheSame(word, account_id))) {
    throw badField('account', contradiction('account_id'))
  }
  return account
}

async function accountNamed(ctx: Context, input: AccountInput) {
  const { account_id, account_name, customer, logo, ...rest } = input
  const filled = Object.entries(rest).filter(([, value]) => value !== '' && value !== null)
  const name = typeof account_name === 'string' ? account_name.trim() : ''
  const isEmpty = !account_id && !name && !filled.length && !logo?.length
  // a form in which nothing was filled in; an object without fields is no form
  const isForm = Object.keys(input).length && !Object.values(customer ?? {}).some(Boolean)
  if (isEmpty && isForm) return undefined
  if (!account_id && !name) {
    throw badField('account.account_name', 'is required, or account_id')
  }
  if (!account_id) await oneAtATime(ctx, 'account', name)
  const found = await ctx.one<{
    id: string
    customer_contact: string | null
    company_id: string | null
  }>(sql`
    select t.id, t.customer_contact, t.company_id from accounts t
    where ${scope(ctx, Account, 'read')}
      and ${account_id ? sql`t.id = ${account_id}` : sql`t.account_name_key = ${name.toLowerCase()}`}
    order by t.id limit 1`)
  if (account_id && !found) throw badField('account.account_id', 'no such record')
  const contact = customer
    ? await contactFor(ctx, customer, found?.company_id, 'account.customer')
    : undefined
  if (found) return { id: found.id, contact: contact ?? found.customer_contact }
  mayCreate(ctx, 'accounts')
  const logo_path = logo?.find((each) => typeof each === 'string')
  if (logo_path && !isAddressOrPath(logo_path)) {
    throw badField('account.logo', 'must hold web addresses (http or https) or paths')
  }
  const created = await insert(ctx, Account, {
    ...Object.fromEntries(filled),
    account_name: name,
    ...(contact ? { customer: contact } : {}),
    ...(logo_path ? { logo_path } : {}),
  })
  return { id: created.id, contact: contact ?? null }
}

/**
 * The customer's contact by e-mail, created if there is none, and linked to the user whom `user_id`
 * names; undefined where nobody is named.
 */
export async function contactFor(
  ctx: Context,
  customer: CustomerInput,
  company_id: string | null | undefined,
  field: string,
): Promise<string | undefined> {
  const at = `${field}.user_id`
  const user_id = customer.user_id || null
  const email = customer.email?.trim().toLowerCase() || null
  const full_name = customer.full_name?.trim() || email
  if (!full_name && !user_id) return undefined
  if (email) await oneAtATime(ctx, 'contact', email)
  const found = await ctx.one<{ id: string; linked_user: string | null }>(sql`
    select t.id, t.linked_user from contacts t
    where ${scope(ctx, Contact, 'read')} and (t.primary_email_key = ${email}
      or t.linked_user = ${user_id} or t.id = ${user_id})
    order by t.primary_email_key is distinct from ${email}, t.id limit 1`)
  if (found) {
    const { id, linked_user } = found
    if (user_id && user_id !== id && !linked_user) {
      await update(
        ctx,
        await lock(ctx, Contact, id, 'update'),
        {},
        { set: await namedUser(ctx, user_id, { field: at }) },
      )
    }
    return id
  }
  if (!full_name) throw badField(at, 'no such record')
  mayCreate(ctx, 'contacts')
  const body = {
    full_name,
    primary_email: email,
    phone: customer.phone || null,
    company: company_id ?? null,
  }
  const linked = user_id
    ? await namedUser(ctx, user_id, { field: at })
    : await userByEmail(ctx, email)
  const set = { unique_key: email, record_source: ctx.source, ...linked }
  return (await insert(ctx, Contact, body, { set })).id
}

/** A lock until the transaction ends: of two bodies that name the same new record, the second finds it. */
async function oneAtATime(ctx: Context, what: string, name: string) {
  await lockName(ctx, `given ${what} ${ctx.organization.id} ${name.toLowerCase()}`)
}
