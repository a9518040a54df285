import type { Context, Queries } from '../../kit/ground/context.ts'
import { badField, conflict } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { enumeration, openObject, schema } from '../../kit/ground/json-schema.ts'
import { idsNamed } from '../../kit/read/named-values.ts'
import { reference } from '../../kit/record/fields.ts'

export const categories = [
  'not_started',
  'in_progress',
  'on_hold',
  'completed',
  'cancelled',
] as const
export type Category = (typeof categories)[number]

/** A status of a project, milestone or task (specification 2.2, StatusRef); logic reads `category`. */
export type Status = {
  id: string
  status_id: string
  status_key: string
  status_name: string
  category: Category
  color: string | null
  icon: string | null
  position: number
  is_default: boolean
}

const categorySchema = enumeration(categories, { title: 'StatusCategory' })

/** The previous status, in sample events that change it. */
export const statusBefore = {
  status_key: 'in_progress',
  status_name: 'In progress',
  category: 'in_progress',
}

/** The status of completed records, in sample events of their completion. */
export const completedSample = {
  'status.status_key': 'completed',
  'status.status_name': 'Completed',
  'status.category': 'completed',
}

type Module = 'projects' | 'milestones' | 'tasks'

/** A status on a record: a StatusRef on reading. */
export function status(module: Module) {
  const link = {
    table: 'statuses',
    label: { name: 'status_name', color: 'color' },
    isCached: true,
    title: 'StatusRef',
    named: 'status_key',
    shows: {
      id: { column: 'id', kind: 'text', isNullable: false },
      status_id: { column: 'id', kind: 'text', isNullable: false },
      status_key: { column: 'status_key', kind: 'text', isNullable: false },
      status_name: { column: 'status_name', kind: 'text', isNullable: false },
      color: { column: 'color', kind: 'text' },
      icon: { column: 'icon', kind: 'text' },
      category: { column: 'category', kind: 'text', isNullable: false, schema: categorySchema },
    },
    by: {},
  } as const
  return reference(link, {
    readOnly: true,
    nullable: true,
    look: 'status',
    column: 'status_id',
    idsOf: async (ctx: Context, words: string[]) => {
      // an archived one is still on records
      const all = await ctx.all<Status>(sql`select id, status_key, status_name from statuses t
        where ${mine(ctx)} and module = ${module}`)
      const named = ({ id, status_key, status_name }: Status) => [id, status_key, status_name]
      return idsNamed(
        words,
        all.map((each) => ({ id: each.id, names: named(each) })),
      )
    },
    namesOf: async (ctx: Context) =>
      (await statusesOf(ctx, module)).flatMap((each) => [each.status_key]),
  })
}

/** The forms in which a body names a status: its id, key or name, or an object with one of them. */
export const statusSchema = schema<string | { [key: string]: unknown }>({
  anyOf: [{ type: 'string', minLength: 1, maxLength: 100 }, openObject],
  description: 'a status by its id or key, such as in_progress',
})

/** A status as records show it. */
export type ShownStatus = Omit<Status, 'position' | 'is_default' | 'category'> & {
  category: string
}

/** The same for a status whose position is known. */
export function shownStatus({ position: _at, is_default: _is, ...shown }: Status): ShownStatus {
  return shown
}

/** The organization's statuses of a module, in their order. */
export function statusesOf(ctx: Context, module: Module): Promise<Status[]> {
  return ctx.cached(`statuses of ${module}`, (committed) =>
    committed.all<Status>(sql`
      select id, id as status_id, status_key, status_name, category, color, icon, position, is_default
      from statuses t where ${mine(ctx)} and module = ${module} and not is_archived
      order by position, id`),
  )
}

/** The status that a body names, as it is known without a query; undefined for none. */
export async function knownStatus(
  ctx: Context,
  module: Module,
  named: unknown,
): Promise<Status | undefined> {
  const word = wordOf(named)
  return (await statusesOf(ctx, module)).find(
    ({ id, status_key, status_name }) =>
      id === word || status_key === word || status_name.toLowerCase() === word?.toLowerCase(),
  )
}

/** The status in the body of a write; 400 lists the valid keys. */
export async function statusNamed(
  ctx: Context,
  module: Module,
  named: unknown,
  field = 'status',
): Promise<Status> {
  const found = await knownStatus(ctx, module, named)
  if (found) return held(ctx, found)
  const names = (await statusesOf(ctx, module)).map(
    ({ status_key, status_name }) => `${status_name} (${status_key})`,
  )
  throw badField(field, `must be one of ${names.join(', ')}`)
}

/** The status of a category for a write: the default one, else the first. */
export async function statusFor(ctx: Context, module: Module, category: Category): Promise<Status> {
  const its = (await statusesOf(ctx, module)).filter((each) => each.category === category)
  const found = its.find(({ is_default }) => is_default) ?? its[0]
  if (!found) throw badField('status', `this organization has no status for ${category}`)
  return held(ctx, found)
}

/**
 * Locks a status that a record gets, so that its category cannot change before the commit: a write that changes it waits,
 * and then sees the record. 409 if the cached status is no longer current.
 */
async function held(ctx: Context, status: Status): Promise<Status> {
  const rows = await ctx.run(sql`select from statuses t where ${mine(ctx)}
    and t.id = ${status.id} and t.category = ${status.category} for key share`)
  if (!rows) throw conflict('The statuses have just changed: try again', 'status_changed')
  return status
}

function wordOf(named: unknown): string | undefined {
  if (typeof named === 'string' || typeof named === 'number') return String(named).trim()
  const keys = (named ?? {}) as { [key: string]: unknown }
  for (const key of ['status_id', 'id', 'status_key', 'status_name', 'name']) {
    if (typeof keys[key] === 'string' || typeof keys[key] === 'number') return String(keys[key])
  }
  return undefined
}

type Seed = [key: string, name: string, category: Category, color: string, icon: string]

const seeds: { [module in Module]: Seed[] } = {
  projects: [
    ['not_started', 'Not started', 'not_started', '#94A3B8', 'icon-circle'],
    ['in_progress', 'In progress', 'in_progress', '#3B82F6', 'icon-play'],
    ['on_hold', 'On hold', 'on_hold', '#F59E0B', 'icon-pause'],
    ['completed', 'Completed', 'completed', '#22C55E', 'icon-check'],
    ['cancelled', 'Cancelled', 'cancelled', '#64748B', 'icon-x'],
  ],
  milestones: [
    ['not_started', 'Not started', 'not_started', '#94A3B8', 'icon-circle'],
    ['in_progress', 'In progress', 'in_progress', '#3B82F6', 'icon-play'],
    ['completed', 'Completed', 'completed', '#22C55E', 'icon-check'],
  ],
  tasks: [
    ['not_started', 'Not started', 'not_started', '#94A3B8', 'icon-circle'],
    ['in_progress', 'In progress', 'in_progress', '#3B82F6', 'icon-play'],
    ['on_hold', 'On hold', 'on_hold', '#F59E0B', 'icon-pause'],
    ['completed', 'Completed', 'completed', '#22C55E', 'icon-check'],
    ['cancelled', 'Cancelled', 'cancelled', '#64748B', 'icon-x'],
  ],
}

/** The statuses of a new organization; people edit them later. */
export async function seedStatuses(queries: Queries, organization_id: string): Promise<void> {
  const rows = Object.entries(seeds).flatMap(([module, its]) =>
    its.map(
      ([key, name, category, color, icon], position) => sql`(${organization_id}, ${newId()},
        ${module}, ${key}, ${name}, ${category}, ${color}, ${icon}, ${position}, ${position === 0})`,
    ),
  )
  await queries.run(sql`insert into statuses (organization_id, id, module, status_key, status_name,
    category, color, icon, position, is_default) values ${sql.join(rows)}`)
}
