import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { arrayOf, orNull } from '../../kit/ground/json-schema.ts'
import { levelOf, scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable, insert, update, written } from '../../kit/write/write.ts'
import { entrySchema, readEntries } from '../activity/entry.ts'
import { visibleEntries } from '../activity/visible.ts'
import { contactFor, customerSchema } from '../projects/input.ts'
import { moveToAccount } from '../projects/move.ts'
import { Account } from './account.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

const plain = crud(Account)

const linkProjects: JSONSchema = {
  type: ['array', 'null'],
  maxItems: 500,
  items: {
    type: ['string', 'object'],
    minLength: 1,
    maxLength: 25,
    properties: { project: {}, project_id: { type: 'string', minLength: 1, maxLength: 25 } },
    required: ['project_id'],
  },
  description: 'projects and deals that are then the account’s',
}

export const accounts = {
  ...plain,
  create: {
    ...plain.create,
    input: { body: withLinks(plain.create.input.body!) },
    async run(ctx: Context, { body }: Input) {
      const { link_projects, ...given } = await withCustomer(ctx, body)
      const made = await insert(ctx, Account, given, {
        along: (id) => link(ctx, id, link_projects),
      })
      return written(made)
    },
  } satisfies Operation,
  update: {
    ...plain.update,
    input: { ...plain.update.input, body: withLinks(plain.update.input.body!) },
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      const { link_projects, ...given } = await withCustomer(ctx, body, params.id)
      await link(ctx, params.id, link_projects)
      return written(await update(ctx, Account, params.id, given, { ifMatch }))
    },
  } satisfies Operation,
  names: {
    name: 'list_account_names',
    summary: 'Id and name of every account that you see',
    can: { module: 'accounts', action: 'read' },
    writes: false,
    input: {},
    output: arrayOf({
      type: 'object',
      properties: {
        account_id: { type: 'string' },
        account_name: { type: 'string' },
        company_id: { type: ['string', 'null'] },
      },
      required: ['account_id', 'account_name', 'company_id'],
    }),
    run: (ctx: Context) =>
      ctx.all(sql`select t.id as account_id, t.account_name, t.company_id from accounts t
        where ${scope(ctx, Account, 'read')} order by t.account_name_key, t.id limit 100000`),
  } satisfies Operation,
  activities: {
    name: 'list_account_activities',
    summary:
      'What happened on an account, its deals and projects, newest first; without one, on any account',
    can: { module: 'accounts', action: 'read' },
    writes: false,
    input: {
      query: {
        type: 'object',
        properties: {
          account_id: { type: 'string', minLength: 1, maxLength: 25 },
          limit: { type: 'integer', minimum: 1, maximum: 500, description: 'entries (25)' },
          items_per_page: { type: 'integer', minimum: 1, maximum: 500, description: 'the same' },
          next_cursor: { type: 'string', maxLength: 25, description: 'from the answer before' },
          cursor: { type: 'string', maxLength: 25, description: 'the same' },
        },
      },
    },
    output: {
      type: 'object',
      properties: {
        results: { type: 'array', items: entrySchema },
        next_cursor: orNull({ type: 'string' }),
      },
      required: ['results', 'next_cursor'],
    },
    async run(ctx: Context, { query }: Input) {
      const { account_id: id, next_cursor = query.cursor } = query
      if (id) await checkReadable(ctx, Account, id)
      const size = query.limit ?? query.items_per_page ?? 25
      if (next_cursor !== undefined && !/^[0-9a-z]{25}$/.test(next_cursor)) {
        throw badField('next_cursor', 'must be the cursor of an answer before')
      }
      const older = next_cursor ? sql`t.id < ${next_cursor}` : sql`true`
      const slice = sql`order by t.id desc limit ${size + 1}`
      const its = sql`select p.id from projects p where p.organization_id = ${ctx.organization.id}
        and p.account_id = ${id ?? null}`
      const self = id ? sql`t.reference_id = ${id}` : sql`true`
      // each branch has an index of its own; an OR would read the whole log. What the caller does
      // not see makes a page shorter, and is not its end
      const near = await ctx.all<{ id: string; seen: boolean }>(sql`
        select n.id, exists (select from events e where ${visibleEntries(ctx)} and e.id = n.id) as seen
        from (
          (select t.id from events t where ${mine(ctx)} and t.module_id = ${Account.number}
            and ${self} and ${older} ${slice})
          union
          (select t.id from events t where ${mine(ctx)} and t.project_id in (${its}) and ${older}
            ${slice})) n
        order by n.id desc limit ${size + 1}`)
      const page = near.slice(0, size)
      const ids = page.flatMap((each) => (each.seen ? [each.id] : []))
      const entries = await readEntries(ctx, sql`e.id = any(${ids}::varchar[])`, { limit: size })
      return { results: entries, next_cursor: near.length > size ? page.at(-1)!.id : null }
    },
  } satisfies Operation,
  removeVertical: {
    name: 'delete_vertical',
    summary: 'Take a vertical out of the set, and from the accounts that have it',
    can: { module: 'accounts', action: 'update' },
    writes: true,
    input: {
      body: {
        type: 'object',
        properties: {
          vertical: {
            type: 'string',
            pattern: '\\S',
            maxLength: 255,
            description: 'value or label',
          },
        },
        required: ['vertical'],
      },
    },
    output: {
      type: 'object',
      properties: {
        status: { type: 'string' },
        vertical: { type: 'string' },
        accounts: { type: 'integer', description: 'how many had it' },
      },
      required: ['status', 'vertical', 'accounts'],
    },
    async run(ctx: Context, { body }: Input) {
      if (levelOf(ctx.actor, 'accounts', 'update') !== 'all') {
        throw forbidden('Your role may not change every account')
      }
      const word = String(body.vertical).trim().toLowerCase()
      const options = await ctx.all<{ value: string; label: string }>(sql`
        delete from option_sets t where ${mine(ctx)} and module = 'accounts'
          and set_name = 'verticals' and (lower(value) = ${word} or lower(label) = ${word})
        returning value, label`)
      const words = [word, ...options.flatMap(({ value, label }) => [value, label])]
      const having = await ctx.all<{ id: string }>(sql`
        select t.id from accounts t where ${mine(ctx)} and t.deleted_at is null
          and lower(t.vertical) = any(${words.map((each) => each.toLowerCase())}) order by t.id`)
      if (!options.length && !having.length) throw badField('vertical', 'no such vertical')
      for (const { id } of having) await update(ctx, Account, id, { vertical: null })
      ctx.emit({
        type: null,
        title: 'Vertical deleted',
        module_id: Account.number,
        reference_id: null,
        changes: [{ field: 'verticals', from: body.vertical, to: null }],
        raw_description: { action: 'deleted', module: 'accounts', name: body.vertical },
      })
      ctx.forget()
      return { status: 'success', vertical: body.vertical, accounts: having.length }
    },
  } satisfies Operation,
}

/** Makes projects and deals the account's; 400 names what the caller may not change. */
async function link(ctx: Context, account_id: string, given: unknown[] | null | undefined) {
  for (const [i, each] of (given ?? []).entries()) {
    const id = typeof each === 'string' ? each : (each as { project_id: string }).project_id
    await moveToAccount(ctx, id, account_id, `link_projects.${i}.project_id`)
  }
}

/** A body whose customer, given as on project create, is a contact: that of the e-mail or a new one. */
async function withCustomer(
  ctx: Context,
  body: Input['body'],
  id?: string,
): Promise<Input['body']> {
  const { customer, company_id } = body
  if (customer === '') return { ...body, customer: null }
  if (!customer || typeof customer === 'string') return body
  const isGiven = ['full_name', 'email', 'phone', 'user_id'].some((name) => name in customer)
  if (!isGiven || customer.contact_id || customer.id) return body
  const known = id
    ? await ctx.one<{ company_id: string | null }>(
        sql`select t.company_id from accounts t where ${scope(ctx, Account, 'update')} and t.id = ${id}`,
      )
    : undefined
  // not the caller's to change: nobody is made for it, and the update says so
  if (id && !known) return { ...body, customer: undefined }
  const company = typeof company_id === 'string' ? company_id : known?.company_id
  return { ...body, customer: (await contactFor(ctx, customer, company, 'customer')) ?? null }
}

function withLinks(schema: JSONSchema): JSONSchema {
  const customer = { ...customerSchema, type: ['object', 'string', 'null'], maxLength: 25 }
  const properties = { ...(schema.properties as object), customer, link_projects: linkProjects }
  return { ...schema, properties }
}
