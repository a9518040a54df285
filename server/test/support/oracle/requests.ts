import { isGroupable } from '../../../src/records/modules/choices.ts'
import type { Context } from '../../../src/kit/ground/context.ts'
import { Failure } from '../../../src/kit/ground/errors.ts'
import type { Input } from '../../../src/kit/ground/operation.ts'
import { Answer, Json, Stream } from '../../../src/kit/ground/operation.ts'
import type { AnyRecord } from '../../../src/kit/record/record.ts'
import { wordOf } from '../../../src/kit/record/record.ts'
import { may } from '../../../src/kit/record/scope.ts'
import { records } from '../../../src/model/all.ts'
import { requireScope, sufficientScopes } from '../../../src/records/apps/scopes.ts'
import { widgetTypes } from '../../../src/model/dashboards/widget-types.ts'
import { tools } from '../../../src/surfaces/mcp/routes.ts'
import type { Tool } from '../../../src/surfaces/mcp/tool.ts'
import { isInScope, placed } from '../../../src/surfaces/mcp/tool.ts'
import type { Route } from '../../../src/surfaces/route.ts'
import type { Dice } from './dense.ts'

/** A request of a read: its route with the parameters of path and query. */
export type ReadRequest = { route: Route; params: Texts; query: { [name: string]: unknown } }
type Texts = { [name: string]: string }

/** The ids that requests name: some that the caller reads and some that it does not, by table. */
export type Ids = (table: string) => string[]

/** Reads that answer a question of their own: about no record, or the same to everybody. */
const others = [
  // the address of a feed is a secret of each organization
  'read_calendar_feed_url',
  // the public key of the form is one in all the service
  'read_widget_config',
  'read_external_signing',
  // its ids are new each time
  'read_sample',
  // and so is the address in it
  'draw_survey_code',
  // what a form for a deal offers names templates, whatever the scopes
  'get_deal_options',
  // a published calendar of a country
  'import_holidays',
]

/** Every read of a surface as requests: lists once, single reads of some records each. */
export function requestsOf(routes: Route[], ids: Ids, words: string[], dice: Dice): ReadRequest[] {
  const prefixes = new Map<string, string>()
  for (const { method, path, operation } of routes) {
    const record = records.find(({ word }) => operation.name === `read_${word}`)
    const [prefix = '', rest] = path.split('{')
    if (method === 'GET' && record && rest?.endsWith('}/')) prefixes.set(prefix, record.table)
  }
  return routes.flatMap((route): ReadRequest[] => {
    const { method, path, operation } = route
    const isPublic = operation.can === 'anyone'
    if (method !== 'GET' || isPublic || others.includes(operation.name)) return []
    if (operation.gives?.includes('event-stream')) return []
    const [prefix = '', ...rest] = path.split('{')
    if (!rest.length) {
      return queriesFor(operation.name, ids, words, dice).map((query) => ({
        route,
        params: {},
        query,
      }))
    }
    const table = prefixes.get(prefix) ?? tables[prefix]
    const [name = 'id'] = (rest[0] ?? '').split('}')
    if (!table || rest.length > 1) return nestedFor(route, ids)
    return ids(table).map((id) => ({ route, params: { [name]: id }, query: {} }))
  })
}

/** Where a path's first id is no single read's. */
const tables: Texts = { '/automation/project/': 'projects' }

function nestedFor(route: Route, ids: Ids): ReadRequest[] {
  const ask = (params: Texts) => ({ route, params, query: {} })
  if (route.path.includes('{module_id}/{reference_id}')) {
    return Object.entries({ '1': 'tasks', '4': 'companies', '2': 'projects' }).flatMap(
      ([module_id, table]) => ids(table).map((reference_id) => ask({ module_id, reference_id })),
    )
  }
  if (route.path.includes('{milestone_id}')) {
    const milestones = ids('milestones')
    return ids('projects').flatMap((id) =>
      milestones.map((milestone_id) => ask({ id, milestone_id })),
    )
  }
  return []
}

function queriesFor(name: string, ids: Ids, words: string[], dice: Dice) {
  const page = { page: 1, items_per_page: 500 }
  const each = (field: string, table: string) => ids(table).map((id) => ({ [field]: id }))
  const about = Object.entries({ tasks: 'tasks', companies: 'companies', contacts: 'contacts' })
  if (name.startsWith('group_')) return groupsOf(name)
  switch (name) {
    case 'search':
    case 'search_records':
      return words.map((q) => ({ q, items_per_page: 100 }))
    case 'read_dashboard_widget':
      return widgetTypes.map((widget_type) => ({
        widget_type,
        time_filter: dice.one(['30_days', 'this_year', '12_months']),
      }))
    case 'read_account_journey':
      return each('account_id', 'accounts')
    case 'read_timeline':
      return [
        ...each('account_id', 'accounts'),
        ...each('project_id', 'projects'),
        ...each('company_id', 'companies'),
        ...each('contact_id', 'contacts'),
      ].map((query) => ({ ...query, limit: 200 }))
    case 'list_account_activities':
      return [{}, { limit: 5 }, ...each('account_id', 'accounts')]
    case 'list_interactions':
    case 'summarize_interactions':
      return about.flatMap(([module_name, table]) =>
        ids(table).map((reference_id) => ({ module_name, reference_id })),
      )
    case 'list_project_forecasts':
      return [{ project_ids: ids('projects').join() }]
    case 'list_load_tasks':
      return ids('people').map((user) => ({ user, week: '2026-03-02' }))
    case 'read_home':
      return [{ as: 'me' }, { as: 'team' }]
    case 'read_portal':
      return ids('projects').map((project_id) => ({ project_id }))
    case 'get_tasks':
      return each('project_id', 'projects')
    case 'read_meeting_by_source':
      return [{ source_ref_id: 'none' }]
    default:
      return [page, { ...page, q: dice.one(words) }]
  }
}

/** What a caller is answered: the body, and what of it travels in headers; or the refusal. */
export async function answerTo(
  ctx: Context,
  { route, params, query }: ReadRequest,
): Promise<string> {
  const { operation } = route
  if (!may(ctx.actor, operation.can)) return 'may not'
  try {
    if (ctx.actor.app) requireScope(ctx.actor, ...sufficientScopes(operation))
    const input: Input = { params, query, body: {}, address: '', url: route.path }
    return await answerOf(await operation.run(ctx, input))
  } catch (error) {
    return refusalOf(error)
  }
}

async function answerOf(result: unknown): Promise<string> {
  const { body, meta } = result instanceof Answer ? result : { body: result, meta: {} }
  return `${JSON.stringify(meta)} ${await textOf(body)}`
}

function refusalOf(error: unknown): string {
  if (error instanceof Failure) return `${error.status} ${error.code} ${error.message}`
  throw error
}

/** A call of a tool of assistants, which reads. */
export type ToolCall = { tool: Tool; sent: { [name: string]: unknown }; at: string }

/** Calls of every tool that reads, of every kind of record: lists, single records, counts, groups and timelines. */
export function callsOf(ids: Ids, words: string[], dice: Dice): ToolCall[] {
  return tools.flatMap((named) =>
    ('kinds' in named ? [...named.kinds] : [['', named] as const]).flatMap(([module, tool]) => {
      if (tool.operation.writes) return []
      const record = records.find((each) => [each.module, wordOf(each)].includes(module))
      const its = record ? ids(record.table) : []
      return argumentsFor(named.name, { module, its, record, ids, words, dice }).map((sent) => ({
        tool,
        sent,
        at: `${named.name} ${module} ${JSON.stringify(sent)}`,
      }))
    }),
  )
}

type Asked = {
  module: string
  its: string[]
  record: AnyRecord | undefined
  ids: Ids
  words: string[]
  dice: Dice
}

function argumentsFor(name: string, { its, record, ids, words, dice }: Asked): ToolCall['sent'][] {
  switch (name) {
    case 'find_records':
      return [{}, { q: dice.one(words) }, { sort: record?.key }]
    case 'get_record':
      return its.map((id) => ({ id }))
    case 'count_records':
      return [
        {},
        ...Object.entries(record?.fields ?? {})
          .filter(([field, each]) => isGroupable(field, each))
          .map(([by]) => ({ by })),
      ]
    case 'get_timeline':
      return ['accounts', 'companies', 'contacts', 'deals', 'projects'].flatMap((module) =>
        ids(module === 'deals' ? 'projects' : module).map((id) => ({ module, id, limit: 5 })),
      )
    case 'search':
      return words.map((q) => ({ q }))
    case 'list_due_tasks':
      return [{ due: 'overdue', owner: 'any' }]
    case 'read_figures':
      return widgetTypes.map((widget_type) => ({ widget_type, time_filter: 'this_year' }))
    case 'list_answers':
    case 'survey_results':
      return ids('surveys').map((survey_id) => ({ survey_id }))
    default:
      return [{}]
  }
}

/** What a caller of a tool is answered, or the refusal. */
export async function answerToCall(ctx: Context, { tool, sent }: ToolCall): Promise<string> {
  const { operation } = tool
  if (!may(ctx.actor, operation.can) || !isInScope(tool, ctx.actor)) return 'may not'
  try {
    const { params, query, body } = placed(tool, sent, ctx.actor)
    const input: Input = { params, query, body, address: '', url: '/mcp' }
    return await answerOf(await operation.run(ctx, input))
  } catch (error) {
    return refusalOf(error)
  }
}

async function textOf(body: unknown): Promise<string> {
  if (typeof body === 'function') return textOf(await (body as () => unknown)())
  if (body instanceof Json) return body.text
  if (!(body instanceof Stream)) return JSON.stringify(body) ?? ''
  const pieces: string[] = []
  for await (const piece of body.pieces(new AbortController().signal)) pieces.push(String(piece))
  return pieces.join('')
}

/**
 * What the feed of changes lists from the beginning. The cursor that it gives is of the moment; one like it, of a
 * snapshot that knows nothing, comes before every event.
 */
export async function changesFromBeginning(ctx: Context, routes: Route[]): Promise<Change[]> {
  const route = routes.find(({ operation }) => operation.name === 'list_changes')
  if (!route) throw new Error('the surface has a feed of changes')
  const page = async (query: object) => {
    const answer = await answerTo(ctx, { route, params: {}, query: { limit: 500, ...query } })
    return JSON.parse(answer.slice(answer.indexOf(' '))) as {
      results: Change[]
      next_cursor: string
      has_more: boolean
    }
  }
  const { next_cursor } = await page({})
  const { database } = JSON.parse(Buffer.from(next_cursor, 'base64url').toString())
  const first = JSON.stringify({ database, seen: '1:1:', after: '0' })
  const { results, has_more } = await page({ since: Buffer.from(first).toString('base64url') })
  if (has_more) throw new Error('the page is too short for all changes')
  return results
}

type Change = { change_id: string; module: string; id: string }

/** Groups by every field, with the first records of each. */
function groupsOf(name: string) {
  const module = name.replace(/^group_(all_)?/, '')
  const record = records.find((each) => each.module === module)
  const fields = Object.entries(record?.fields ?? {})
  return fields
    .filter(([field, each]) => record && isGroupable(field, each))
    .map(([by]) => ({ by, items: 20, order: 'label' }))
}
