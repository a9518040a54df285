import type { Context } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { contactFor } from '../projects/customer.ts'
import { Account } from '../../model/accounts/account.ts'

type Customer = string | { [key: string]: unknown } | null

/**
 * Replaces the customer of a body, if it is a form as in project creation, with a contact: the one with the e-mail or
 * a new one. An empty text means nobody.
 */
export async function withCustomer<B extends { customer?: Customer; company_id?: unknown }>(
  ctx: Context,
  body: B,
  id?: string,
): Promise<B> {
  const { customer, company_id } = body
  if (customer === '') return { ...body, customer: null }
  if (!customer || typeof customer === 'string') return body
  const isForm = ['full_name', 'email', 'phone', 'user_id'].some((name) => name in customer)
  if (!isForm || customer.contact_id || customer.id) return body
  const account = id
    ? await ctx.one<{ company_id: string | null }>(
        sql`select t.company_id from accounts t where ${scope(ctx, Account, 'update')} and t.id = ${id}`,
      )
    : undefined
  // the update refuses it: no contact is created for an account that the caller may not change
  if (id && !account) return { ...body, customer: undefined }
  const company = typeof company_id === 'string' ? company_id : account?.company_id
  return { ...body, customer: (await contactFor(ctx, customer, company, 'customer')) ?? null }
}
