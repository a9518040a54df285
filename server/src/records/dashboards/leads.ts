import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readsInternal } from '../../kit/record/audience.ts'
import { condition } from '../../kit/read/condition.ts'
import type { Range } from '../../model/dashboards/range.ts'
import type { WidgetType } from '../../model/dashboards/widget-types.ts'
import type { Filters, FilterWords } from './filters.ts'
import { shownFilters, teamOf } from './filters.ts'
import type { Row } from './widgets/kind.ts'

type Condition = { [key: string]: unknown }

const conditions = Type.Array(condition)

/** What each bucket of a widget says of the records behind it. */
export const leadMembers = {
  module: orNull(
    Type.String({ description: 'the module whose list has the records; null where none has' }),
  ),
  filter: orNull(
    Type.Array(condition, {
      description:
        'conditions that find in that list the records that are counted; null where none do',
    }),
  ),
  filters: Type.Record(Type.String(), conditions, {
    description: 'conditions that find those of another member, such as `won`',
  }),
}

/** How the records of a bucket are found in a list. */
export type Lead = {
  module: string | null
  filter: Condition[] | null
  filters: { [member: string]: Condition[] }
}

/** Where no list has what is counted. */
export const nowhere: Lead = { module: null, filter: null, filters: {} }

/** What the conditions of a widget's buckets are made of. */
type Known = {
  range: Range
  /** whether the period has not ended: then what is counted is as it is now */
  isNow: boolean
  /** the stages in which deals are won and lost */
  won: string[]
  lost: string[]
}

type Found = { filter: Condition[] | null; filters?: { [member: string]: Condition[] } }

/** How a type of widget leads to its list: of a bucket, and of all of them. */
type Leads = {
  module: string
  owner: string
  bucket(row: Row, known: Known): Found
  total?(known: Known): Found
}

const on = (field: string, from: unknown, to: unknown): Condition => ({
  field,
  operator: 'between',
  value: [from, to],
})
const is = (field: string, value: unknown): Condition => ({ field, operator: 'eq', value })
const empty = (field: string): Condition => ({ field, operator: 'is_empty' })
const some = (field: string, value: string[]): Condition => ({ field, operator: 'in', value })
const upTo = (field: string, day: string): Condition => ({ field, operator: 'lte', value: day })

function created(module: string, owner: string): Leads {
  return {
    module,
    owner,
    bucket: ({ date }) => ({ filter: [on('creation_time', date, date)] }),
    total: ({ range }) => ({ filter: [on('creation_time', range.from, range.to)] }),
  }
}

/** Records that existed in a period, as the widgets by status count them. */
function alive({ range, isNow }: Known, isOpen: Condition): Condition[] {
  const since = { field: 'completed_at', operator: 'gte', value: range.from }
  const open = { and: [empty('completed_at'), isOpen] }
  const begun = { or: [upTo('creation_time', range.to), upTo('completed_at', range.to)] }
  return [{ or: [open, since] }, ...(isNow ? [] : [begun])]
}

const notDone: { [module: string]: Condition } = {
  tasks: is('is_completed', false),
  projects: { not: is('status.category', 'completed') },
}

function byStatus(module: 'tasks' | 'projects', owner: string): Leads {
  const isOpen = notDone[module] ?? {}
  return {
    module,
    owner,
    bucket: ({ status_id: id }, known) => ({
      filter: id === null ? null : [is('status', id), ...alive(known, isOpen)],
    }),
    total: (known) => ({ filter: alive(known, isOpen) }),
  }
}

const ofDeals = { module: 'deals', owner: 'project_owner' }

/** The open deals that are expected within some days: by their forecast, else by their due date. */
function expected(from: string, to: string): Condition[] {
  const due = { and: [empty('forecasted_date'), on('due_date', from, to)] }
  return [empty('closed_at'), { or: [on('forecasted_date', from, to), due] }]
}

const closedIn = (stages: string[], from: unknown, to: unknown): Condition[] => [
  on('closed_at', from, to),
  some('stage_id', stages),
]

const leads: { [type in WidgetType]?: Leads } = {
  new_companies: created('companies', 'company_owner'),
  new_contacts: created('contacts', 'contact_owner'),
  deals_by_stage: {
    ...ofDeals,
    bucket: ({ stage_id: id, category }, { range, isNow }) => {
      if (!isNow || typeof id !== 'string') return { filter: null }
      const since = { field: 'closed_at', operator: 'gte', value: range.from }
      return { filter: [is('stage_id', id), ...(category === 'open' ? [] : [since])] }
    },
    total: ({ range, isNow }) => {
      const since = { field: 'closed_at', operator: 'gte', value: range.from }
      if (!isNow) return { filter: null }
      return {
        filter: [{ or: [empty('closed_at'), since] }],
        filters: { open: [empty('closed_at')], open_value: [empty('closed_at')] },
      }
    },
  },
  deal_funnel: {
    ...ofDeals,
    bucket: ({ ids, count }) =>
      Array.isArray(ids) && ids.length && ids.length === count
        ? { filter: [some('project_id', ids as string[])] }
        : { filter: null },
    total: ({ range, won, lost }) => {
      const filter = [on('creation_time', range.from, range.to)]
      const filters = {
        won: [...filter, some('stage_id', won)],
        lost: [...filter, some('stage_id', lost)],
      }
      return { filter, filters }
    },
  },
  revenue_forecast: {
    ...ofDeals,
    bucket: ({ month }, { range, won }) => {
      const first = later(`${String(month)}-01`, range.from)
      const last = earlier(lastOf(String(month)), range.to)
      return {
        filter: expected(first, last),
        filters: { won: closedIn(won, first, last), won_value: closedIn(won, first, last) },
      }
    },
    total: ({ range, won }) => ({
      filter: expected(range.from, range.to),
      filters: { won: closedIn(won, range.from, range.to) },
    }),
  },
  deals_won_lost: {
    ...ofDeals,
    bucket: ({ date }, { won, lost }) => ({
      filter: [on('closed_at', date, date)],
      filters: { won: closedIn(won, date, date), lost: closedIn(lost, date, date) },
    }),
    total: ({ range, won, lost }) => ({
      filter: [on('closed_at', range.from, range.to)],
      filters: {
        won: closedIn(won, range.from, range.to),
        lost: closedIn(lost, range.from, range.to),
      },
    }),
  },
  projects_by_status: byStatus('projects', 'project_owner'),
  tasks_by_status: byStatus('tasks', 'owner'),
  overdue_tasks: {
    module: 'tasks',
    owner: 'owner',
    bucket: ({ date }) => ({ filter: overdue(String(date)) }),
    total: ({ range }) => ({ filter: overdue(range.last) }),
  },
  accounts_health: {
    module: 'accounts',
    owner: 'account_owner',
    bucket: ({ minimum, maximum }, { range }) => ({
      filter: [on('health_score', minimum, maximum), upTo('creation_time', range.to)],
    }),
    total: ({ range }) => ({ filter: [upTo('creation_time', range.to)] }),
  },
}

/** The tasks that were overdue when a day ended. */
function overdue(day: string): Condition[] {
  const open = { and: [empty('completed_at'), is('is_completed', false)] }
  return [
    { field: 'due_date', operator: 'lt', value: day },
    upTo('creation_time', day),
    { or: [open, { field: 'completed_at', operator: 'gt', value: day }] },
  ]
}

const later = (one: string, other: string) => (one > other ? one : other)
const earlier = (one: string, other: string) => (one < other ? one : other)

function lastOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

/** At most so many people of a team are named in a condition. */
const mostPeople = 200

type Asked = {
  range: Range
  filters: Filters
  /** the same as the request named them */
  words: FilterWords
  saved: Condition[]
}

/**
 * How the buckets of a widget are found in a list, with the filters of the request: undefined where a filter has no
 * words in the grammar of lists. `conditions` are those of its saved filter.
 */
export async function leadsOf(
  ctx: Context,
  type: WidgetType,
  { range, filters, words, saved }: Asked,
): Promise<{ of(row: Row): Lead; total: Lead }> {
  const lead = leads[type]
  const none = { of: () => nowhere, total: nowhere }
  if (!lead) return none
  const isOfDeals = lead.module === 'deals'
  if (isOfDeals && !readsInternal(ctx.actor)) return none
  const named = shownFilters(ctx, filters, words)
  if (named.team !== filters.team) return none
  const chosen = await chosenConditions(ctx, lead, named)
  if (!chosen) return none
  const stages = isOfDeals ? await closedStages(ctx) : []
  const idsOf = (word: string) =>
    stages.filter(({ category }) => category === word).map(({ id }) => id)
  const known: Known = {
    range,
    isNow: Date.parse(range.until) > +ctx.now(),
    won: idsOf('won'),
    lost: idsOf('lost'),
  }
  const whole = ({ filter, filters: others = {} }: Found): Lead => {
    const within = (its: Condition[]) => [...its, ...chosen, ...saved]
    const named = Object.entries(others).map(([member, its]) => [member, within(its)] as const)
    return {
      module: lead.module,
      filter: filter && within(filter),
      filters: Object.fromEntries(named),
    }
  }
  return {
    of: (row) => whole(lead.bucket(row, known)),
    total: whole(lead.total?.(known) ?? { filter: null }),
  }
}

function closedStages(ctx: Context) {
  return ctx.all<{ id: string; category: string }>(sql`
    select s.id, s.category from stages s
    where ${mine(ctx, 's')} and s.category in ('won', 'lost') order by s.id`)
}

/** The filters of a widget in the words of a list; undefined where it has none for one of them. */
async function chosenConditions(
  ctx: Context,
  { module, owner }: Leads,
  filters: Filters,
): Promise<Condition[] | undefined> {
  const found: Condition[] = []
  if (filters.owner !== undefined) found.push(is(owner, filters.owner))
  if (filters.team !== undefined) {
    // who reports to whom is nothing for customers
    if (ctx.actor.is_external) return undefined
    const people = await teamOf(ctx, filters.team)
    if (people.length > mostPeople) return undefined
    found.push(some(owner, people))
  }
  if (filters.pipeline_id !== undefined)
    found.push(
      is(module === 'tasks' ? 'project_id.pipeline_id' : 'pipeline_id', filters.pipeline_id),
    )
  if (filters.account_id !== undefined) {
    const of = await ofAccount(ctx, module, filters.account_id)
    if (!of) return undefined
    found.push(of)
  }
  return found
}

async function ofAccount(ctx: Context, module: string, id: string): Promise<Condition | undefined> {
  if (module === 'tasks') return { or: [is('account_id', id), is('project_id.account_id', id)] }
  if (module !== 'companies' && module !== 'contacts') return is('account_id', id)
  const account = await ctx.one<{ company_id: string | null }>(
    sql`select t.company_id from accounts t where ${mine(ctx)} and t.id = ${id}`,
  )
  if (!account?.company_id) return undefined
  return is(module === 'companies' ? 'company_id' : 'company', account.company_id)
}
