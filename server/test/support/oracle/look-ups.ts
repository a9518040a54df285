import type pg from 'pg'
import type { Context } from '../../../src/kit/ground/context.ts'
import { Failure } from '../../../src/kit/ground/errors.ts'
import { compiled, filterRegistry } from '../../../src/kit/read/filter-registry.ts'
import { all } from '../../../src/kit/ground/sql.ts'
import { linkedTable } from '../../../src/kit/record/record.ts'
import { scope } from '../../../src/kit/record/scope.ts'
import { sql } from '../service.ts'
import type { AnyRecord } from '../../../src/kit/record/record.ts'
import { Contact } from '../../../src/model/contacts/contact.ts'
import { contactKey } from '../../../src/records/contacts/key.ts'
import type { ImportModule } from '../../../src/model/imports/import.ts'
import { usualOptions } from '../../../src/model/imports/import.ts'
import { previewOf } from '../../../src/records/imports/preview.ts'
import { mergeRecords } from '../../../src/records/merging/merge.ts'
import type { Action } from '../../../src/model/surveys/automations/actions.ts'
import type { Run } from '../../../src/records/surveys/automations/perform.ts'
import { performAction } from '../../../src/records/surveys/automations/perform.ts'
import type { Route } from '../../../src/surfaces/route.ts'
import type { Dice } from './dense.ts'
import type { ReadRequest } from './requests.ts'
import { stranger } from './twin.ts'

// What records are looked up by: e-mails, names and domains, in conditions, parameters of lists, runs of
// automations, previews of imports and of merges.

/** Words by which records may be named, by their table: of both organizations, and such that name nothing. */
export type Words = { [table: string]: string[] }

const nobody = ['nobody@oracle.test', 'No Body', 'nothing.test']

/** Words that name records of two organizations: those of the second that the first has not come first. */
export async function wordsOf(owner: pg.Client, one: string, other: string): Promise<Words> {
  const of = async (table: string, columns: string[]) => {
    const each = columns.map(
      (column) => `select organization_id, id, ${column}::text as word from ${table}`,
    )
    const { rows } = await owner.query<{ word: string }>(
      `select word from (${each.join(' union all ')}) w
       where organization_id = any($1) and word is not null
       group by word order by count(distinct organization_id), md5(word) limit 12`,
      [[one, other]],
    )
    return [...rows.map(({ word }) => word), ...nobody]
  }
  return {
    users: [stranger.email, stranger.full_name, ...(await of('users', ['email', 'full_name']))],
    contacts: await of('contacts', ['primary_email', 'full_name']),
    companies: await of('companies', ['domain', 'company_name']),
    accounts: await of('accounts', ['account_name']),
  }
}

/**
 * What lists answer to conditions that name linked records by some of the words: the ids that they find.
 * The fields are dealt out to several callers.
 */
export async function answersToNames(
  ctx: Context,
  record: AnyRecord,
  words: Words,
  dice: Dice,
  { part, parts } = { part: 0, parts: 1 },
): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  let nth = 0
  for (const [field, { link }] of await filterRegistry(ctx, record)) {
    if (!link?.reference || nth++ % parts !== part % parts) continue
    const its = words[linkedTable(link.reference)] ?? nobody
    for (const word of [...its.slice(0, 2), dice.one(its), 'me']) {
      const operator = dice.one(['eq', 'neq', 'in', 'not_in'])
      const value = operator.endsWith('in') ? [word] : word
      const filter = [{ field, operator, value }]
      answers.set(JSON.stringify(filter), await outcomeOf(() => idsWhere(ctx, record, filter)))
    }
  }
  return answers
}

/** Without the index of filters, whose entries are those of the organization that was copied. */
async function idsWhere(ctx: Context, record: AnyRecord, filter: unknown): Promise<string> {
  const condition = await compiled(ctx, record, filter, 'filter')
  const rows = await ctx.cells(sql`select t.id from ${sql.table(record.table)} t
    where ${all(scope(ctx, record, 'read'), condition)} order by t.id`)
  return rows.map(([id]) => id).join()
}

const parameters = /^(owner|owner_id|created_by|team|account|account_id|pipeline|pipeline_id)$/

/** Lists by each of their parameters that names a record. */
export function requestsByName(routes: Route[], words: Words): ReadRequest[] {
  return routes.flatMap((route): ReadRequest[] => {
    const { method, path, operation } = route
    const { properties = {} } = (operation.input.query ?? {}) as { properties?: object }
    if (method !== 'GET' || path.includes('{') || operation.can === 'anyone') return []
    if (operation.gives?.includes('event-stream')) return []
    return Object.keys(properties)
      .filter((name) => parameters.test(name))
      .flatMap((name) => {
        const table = /account/.test(name)
          ? 'accounts'
          : /domain/.test(name)
            ? 'companies'
            : 'users'
        const its = words[table] ?? []
        return [its[0], its[1], its[2], its.at(-3)].map((word) => ({
          route,
          params: {},
          query: { page: 1, items_per_page: 500, widget_type: 'deals_by_stage', [name]: word },
        }))
      })
  })
}

type Writing = <T>(run: (ctx: Context) => Promise<T>) => Promise<T>

/** What runs of automations, previews of imports and of merges say; `writing` rolls back what they write. */
export async function outcomesOf(
  writing: Writing,
  words: Words,
  contacts: string[],
): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>()
  const note = async (what: string, run: (ctx: Context) => Promise<unknown>) => {
    outcomes.set(
      what,
      await outcomeOf(() => writing(async (ctx) => JSON.stringify((await run(ctx)) ?? 'done'))),
    )
  }
  const actions: Action[] = [
    { type: 'add_tag', config: { tag: 'seen' } },
    { type: 'update_field', config: { field: 'notes', value: 'seen' } },
    { type: 'update_field', config: { module: 'companies', field: 'industry', value: 'seen' } },
  ]
  for (const respondent_email of words.contacts?.filter((word) => word.includes('@')) ?? []) {
    for (const action of actions) {
      const run = { response: { respondent_email } } as Run
      await note(`${JSON.stringify(action)} for ${respondent_email}`, (ctx) =>
        performAction(ctx, action, run),
      )
    }
  }
  const sheets: { module: ImportModule; mapping: { [column: string]: string }; of: string }[] = [
    { module: 'contacts', mapping: { a: 'full_name', b: 'contact_owner' }, of: 'users' },
    { module: 'contacts', mapping: { a: 'full_name', b: 'company' }, of: 'companies' },
    { module: 'tasks', mapping: { a: 'title', b: 'owner' }, of: 'users' },
    { module: 'deals', mapping: { a: 'project_name', b: 'account_id' }, of: 'accounts' },
    { module: 'accounts', mapping: { a: 'account_name', b: 'company_id' }, of: 'companies' },
  ]
  for (const { module, mapping, of } of sheets) {
    const lines = (words[of] ?? []).map((word, i) => ({ line: i + 2, cells: [`New ${i}`, word] }))
    const planned = { module, columns: ['a', 'b'], mapping, options: usualOptions, profiles: [] }
    await note(`import ${JSON.stringify(mapping)} into ${module}`, async (ctx) => {
      const { preview, checked, column_report } = await previewOf(ctx, planned, lines)
      return { preview, checked, column_report }
    })
  }
  const [primary_id = '', ...merge_ids] = contacts
  for (const strategy of ['fill_empty', 'newest_wins'] as const) {
    await note(`merge by ${strategy}`, async (ctx) => {
      const input = { primary_id, merge_ids, strategy, dry_run: true }
      const { body } = await mergeRecords(ctx, Contact, contactKey, input)
      return body
    })
  }
  return outcomes
}

/** What somebody learns from a call: its result, or the refusal. */
async function outcomeOf(run: () => Promise<string>): Promise<string> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Failure) return `${error.status} ${error.code} ${error.message}`
    throw error
  }
}
