import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { normalDomain } from '../../model/companies/domain.ts'

/** The fields that identify a company. */
export const identifying = ['company_name', 'domain'] as const

/** The unique key of a stored company: the domain, or without one the folded name. */
export function companyKey(row: { [column: string]: unknown }): string {
  return uniqueKey(String(row.company_name), row.domain as string | null)
}

/** The body with its domain normalized; 400 if it is no domain. */
export function withDomain<B extends { domain?: unknown }>(body: B): B {
  if (typeof body.domain !== 'string') return body
  if (body.domain.trim() === '') return { ...body, domain: null }
  const domain = normalDomain(body.domain)
  if (!domain) throw badField('domain', 'must be a domain name, such as acme.com')
  return { ...body, domain }
}

/** The domain, or without one the folded name. */
export function uniqueKey(company_name: string, domain: string | null | undefined): string {
  return domain ? `d:${domain}` : `n:${company_name.toLowerCase()}`
}

/** The unique key if name or domain change; a company that was allowed as a duplicate has none until then. */
export async function keyAfter(
  ctx: Context,
  id: string,
  body: { domain?: string | null; company_name?: string },
) {
  if (body.domain === undefined && body.company_name === undefined) return {}
  const old = await ctx.one<{ domain: string | null; company_name: string }>(
    sql`select domain, company_name from companies t where ${mine(ctx)} and id = ${id}`,
  )
  if (!old) return {}
  const { domain = old.domain, company_name = old.company_name } = body
  const before = uniqueKey(old.company_name, old.domain)
  const unique_key = uniqueKey(company_name, domain)
  return before === unique_key ? {} : { unique_key }
}
