import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { isObject } from '../../kit/ground/object.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { compiledSaved, savedFilter } from '../../kit/read/saved-filter.ts'
import { lookUpMany } from '../../kit/read/look-up.ts'
import { pipelinesNamed } from '../../model/projects/pipelines/named.ts'
import { idsIn, mayLookUp } from '../../kit/read/named-values.ts'
import { organizationCurrency } from '../projects/priced.ts'
import { Deal } from '../../model/projects/project.ts'
import { withTeam } from '../users/actor.ts'
import type { Chosen } from './widgets/kind.ts'
import type { FilteredBy } from './widgets/filtered-by.ts'

const name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 320, description }))

/** The filters of a widget, as the query of `read_dashboard_widget` and a stored configuration name them. */
export const filterMembers = {
  owner: name('only records of this user, by id, e-mail or name; `me` is the caller'),
  owner_id: name('same as owner'),
  team: name('only records of this user and everyone below in `reports_to`'),
  team_id: name('same as team'),
  pipeline_id: name('by id or name'),
  pipeline: name('same as pipeline_id'),
  account_id: name('by id or name'),
  account: name('same as account_id'),
  filter_id: name('a saved filter of the module that the widget counts'),
  currency_unit: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      description: "the currency of sums; the account's, else the organization's",
    }),
  ),
}

/** The values of a request or a configuration, by the names above; absent ones do not filter. */
export type FilterWords = { [member in keyof typeof filterMembers]?: unknown }

/** The same with ids in place of e-mails and names. */
export type Filters = {
  owner?: string
  team?: string
  pipeline_id?: string
  account_id?: string
  filter_id?: string
  currency_unit?: string
}

/** The filter behind each name. */
export const members = {
  owner: 'owner',
  owner_id: 'owner',
  team: 'team',
  team_id: 'team',
  pipeline_id: 'pipeline_id',
  pipeline: 'pipeline_id',
  account_id: 'account_id',
  account: 'account_id',
  filter_id: 'filter_id',
  currency_unit: 'currency_unit',
} as const satisfies { [member in keyof typeof filterMembers]: keyof Filters }

export const filterNames = Object.keys(members) as (keyof typeof members)[]

const user = Deal.fields.project_owner
const account = Deal.fields.account_id

/**
 * The ids behind these values; `at` is put before the field in errors. 400 for a value that names nothing that the
 * caller sees, and for a filter that the widget does not support. With `isStored`, ids are not checked:
 * what they name may be gone since.
 */
export async function resolveFilters(
  ctx: Context,
  words: FilterWords,
  by: FilteredBy,
  { at = '', isStored = false } = {},
): Promise<Filters> {
  const found: Filters = {}
  for (const member of filterNames) {
    const word = wordOf(words[member], member, at)
    if (word === undefined) continue
    const filter = members[member]
    if (!applies(by, filter)) throw badField(at + member, `does not apply here; ${knownBy(by)}`)
    const other = found[filter]
    const id = isStored ? storedId(ctx, word) : await idOf(ctx, filter, word, at + member)
    if (other !== undefined && other !== id) throw badField(at + member, `contradicts ${filter}`)
    found[filter] = id
  }
  return found
}

/**
 * Filters as a caller may be shown them: whoever may not look everybody up is shown a person as named in the request,
 * and learns of no team but their own.
 */
export function shownFilters(ctx: Context, filters: Filters, words: FilterWords): Filters {
  if (mayLookUp(ctx, user)) return filters
  const { team: _, ...shown } = filters
  const name = words.owner ?? words.owner_id
  if (name) shown.owner = wordOf(name, 'owner', '')
  return filters.team === ctx.actor.user_id ? { ...shown, team: filters.team } : shown
}

/** Those that come with the product name whoever looks. */
function storedId({ actor }: Context, word: string): string {
  return word === 'me' ? (actor.user_id ?? word) : word
}

/** The name in a value: an id, key or name in an object as reads show it, or the value itself. */
function wordOf(value: unknown, member: string, at: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  const parts = isObject(value) ? Object.values(value) : []
  const first = parts.find((each) => typeof each === 'string' && each)
  if (typeof first === 'string') return first
  throw badField(at + member, 'must be an id or a name')
}

/** The names of a request without those that mean nothing to the widget, and the filters that these are. */
export function applicable(words: FilterWords, by: FilteredBy) {
  const left_out = new Set<keyof Filters>()
  const rest: FilterWords = { ...words }
  for (const member of filterNames) {
    if (rest[member] === undefined || applies(by, members[member])) continue
    left_out.add(members[member])
    delete rest[member]
  }
  return { words: rest, left_out: [...left_out] }
}

function applies(by: FilteredBy, filter: keyof Filters): boolean {
  if (filter === 'pipeline_id') return by.pipeline !== undefined
  if (filter === 'filter_id') return by.view !== undefined
  return true
}

function knownBy(by: FilteredBy): string {
  const names = ['owner', 'team', 'pipeline_id', 'account_id', 'filter_id'] as const
  return `it is filtered by ${names.filter((each) => applies(by, each)).join(', ')}`
}

async function idOf(ctx: Context, filter: keyof Filters, word: string, field: string) {
  if (filter === 'currency_unit') {
    if (!/^[A-Z]{3}$/.test(word))
      throw badField(field, 'must be three capital letters, such as EUR')
    return word
  }
  if (filter === 'filter_id') return word
  const id = await (filter === 'pipeline_id'
    ? pipelinesNamed(ctx, [word]).then((ids) => ids.get(word)?.[0])
    : linkNamed(ctx, filter, word, field))
  if (id === undefined) throw badField(field, `no such ${filter.replace(/_id$/, '')}`)
  return id
}

async function linkNamed(ctx: Context, filter: keyof Filters, word: string, field: string) {
  // customers must not find out by trial who serves them
  if (ctx.actor.is_confined && filter !== 'account_id') return word
  if (filter !== 'account_id') {
    const [id] = await idsIn(ctx, user, word, field)
    // an id passes there as it is: whoever may look everybody up learns that it is nobody's
    if (id === undefined || !mayLookUp(ctx, user)) return id
    return (await lookUpMany(ctx, user, 'user_id', [id])).get(id)
  }
  for (const key of ['account_id', 'account_name']) {
    const id = (await lookUpMany(ctx, account, key, [word])).get(word)
    if (id !== undefined) return id
  }
  return undefined
}

/** The filters as SQL: a condition over the widget's rows, and the currency of its sums. */
export async function chosenBy(
  ctx: Context,
  filters: Filters,
  by: FilteredBy,
): Promise<Omit<Chosen, 'isPrevious'>> {
  const { owner, team, pipeline_id, account_id, filter_id, currency_unit } = filters
  const whose = sql.ref(by.owner)
  const where = [
    owner === undefined ? undefined : sql`${whose} = ${owner}`,
    team === undefined ? undefined : sql`${whose} = any(${await teamOf(ctx, team)})`,
    pipeline_id === undefined ? undefined : by.pipeline?.(ctx, pipeline_id),
    account_id === undefined ? undefined : by.account(ctx, account_id),
    filter_id === undefined ? undefined : await viewOf(ctx, filter_id, by),
  ].filter((each) => each !== undefined)
  const organization = await organizationCurrency(ctx)
  const its = account_id === undefined ? undefined : await currencyOf(ctx, account_id)
  return {
    ...(where.length ? { where: all(...where) } : {}),
    currency: currency_unit ?? its ?? organization,
    organizationCurrency: organization,
  }
}

/** The conditions of a saved filter over the widget's rows; 404 for one that the caller cannot see. */
async function viewOf(ctx: Context, id: string, { view }: FilteredBy): Promise<Query | undefined> {
  if (!view) return undefined
  const { conditions } = await savedFilter(ctx, view.record, id)
  const { condition } = await compiledSaved(ctx, view.record, conditions)
  return view.over ? view.over(ctx, condition) : sql`(${condition})`
}

/** Whether the saved filter that a stored widget names was deleted, for now or for good. */
export async function isGone(ctx: Context, filter_id: string): Promise<boolean> {
  const found = await ctx.one(sql`select t.id from filters t
    where ${mine(ctx)} and t.id = ${filter_id} and t.deleted_at is null`)
  return found === undefined
}

async function currencyOf(ctx: Context, account_id: string): Promise<string | undefined> {
  const found = await ctx.one<{ currency_unit: string | null }>(
    sql`select t.currency_unit from accounts t where ${mine(ctx)} and t.id = ${account_id}`,
  )
  return found?.currency_unit ?? undefined
}

/** A user and everyone below. */
export async function teamOf(ctx: Context, id: string): Promise<string[]> {
  const rows = await ctx.all<{ id: string }>(
    sql`${withTeam(ctx.organization.id, id)} select id from team order by id`,
  )
  return rows.map((row) => row.id)
}
