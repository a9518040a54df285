import { forReader, linkedId } from '../../kit/record/readable.ts'
import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import { crud } from '../../kit/crud.ts'
import { arrayOf, extend, orNull, schema } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { insert, lock, update, written } from '../../kit/write/write.ts'
import { entrySchema } from '../activity/entry.ts'
import { customerSchema } from '../projects/input.ts'
import { Account } from '../../model/accounts/account.ts'
import { listActivities } from './activities.ts'
import { withCustomer } from './customer.ts'
import type { LinkInput } from './link-projects.ts'
import { linkProjects } from './link-projects.ts'
import { removeVertical } from './vertical.ts'

const plain = crud(Account)

/** Properties that a body may have besides the record's own fields. */
const extras = {
  customer: Type.Optional(
    schema<string | { [key: string]: unknown } | null>({
      ...customerSchema,
      type: ['object', 'string', 'null'],
      maxLength: 25,
    }),
  ),
  link_projects: Type.Optional(
    schema<LinkInput[] | null>({
      type: ['array', 'null'],
      maxItems: 500,
      items: {
        type: ['string', 'object'],
        minLength: 1,
        maxLength: 25,
        properties: { project: {}, project_id: { type: 'string', minLength: 1, maxLength: 25 } },
        required: ['project_id'],
      },
      description: 'projects and deals that are moved to the account',
    }),
  ),
}

const pageSize = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description }))
const cursor = (description: string) => Type.Optional(Type.String({ maxLength: 25, description }))

export const accounts = {
  ...plain,
  create: operation({
    ...plain.create,
    input: { body: extend(plain.create.input.body, extras) },
    async run(ctx, { body }) {
      const { link_projects, ...fields } = await withCustomer(ctx, body)
      const created = await insert(ctx, Account, fields, {
        along: (id) => linkProjects(ctx, id, link_projects),
      })
      return written(created)
    },
  }),
  update: operation({
    ...plain.update,
    input: { ...plain.update.input, body: extend(plain.update.input.body, extras) },
    async run(ctx, { params, body, ifMatch }) {
      const { link_projects, ...fields } = await withCustomer(ctx, body, params.id)
      await linkProjects(ctx, params.id, link_projects)
      return written(
        await update(ctx, await lock(ctx, Account, params.id, 'update', ifMatch), fields),
      )
    },
  }),
  names: operation({
    name: 'list_account_names',
    summary: 'List the names of all accounts',
    can: { module: 'accounts', action: 'read' },
    writes: false,
    input: {},
    output: arrayOf(
      Type.Object(
        {
          account_id: Type.String(),
          account_name: Type.String(),
          company_id: orNull(Type.String()),
        },
        { title: 'AccountName' },
      ),
    ),
    run: (ctx) =>
      ctx.all(sql`select t.id as account_id, t.account_name,
          ${forReader(ctx, linkedId('companies', 't.company_id'))} as company_id from accounts t
        where ${scope(ctx, Account, 'read')} order by t.account_name_key, t.id limit 100000`),
  }),
  activities: operation({
    name: 'list_account_activities',
    summary: 'List the activities of an account',
    description:
      'The log of the account, its deals and projects, newest first; without an account, that of every account.',
    can: { module: 'accounts', action: 'read' },
    writes: false,
    input: {
      query: Type.Object({
        account_id: Type.Optional(idInQuery()),
        limit: pageSize('entries per page (25)'),
        items_per_page: pageSize('same as limit'),
        next_cursor: cursor('from the previous answer'),
        cursor: cursor('same as next_cursor'),
      }),
    },
    output: Type.Object({
      results: arrayOf(entrySchema),
      next_cursor: orNull(Type.String()),
    }),
    run: (ctx, { query }) => listActivities(ctx, query),
  }),
  removeVertical: operation({
    name: 'delete_vertical',
    summary: 'Delete a vertical',
    description: 'Removes it from the set of verticals, and from the accounts that have it.',
    can: { module: 'accounts', action: 'update' },
    writes: true,
    input: {
      body: Type.Object({
        vertical: Type.String({ pattern: '\\S', maxLength: 255, description: 'value or label' }),
      }),
    },
    output: Type.Object({
      status: Type.String(),
      vertical: Type.String(),
      accounts: Type.Integer({ description: 'how many had it' }),
    }),
    run: (ctx, { body }) => removeVertical(ctx, body.vertical),
  }),
}
