import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict, forbidden, notFound } from '../../kit/ground/errors.ts'
import type { Change } from '../../kit/ground/event.ts'
import { newId } from '../../kit/ground/ids.ts'
import { arrayOf, enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { may, mayAll } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import { equal } from '../../kit/ground/object.ts'
import { lockName } from '../../kit/write/lock-name.ts'
import { valueOf } from '../../model/organizations/option-sets.ts'
import { categories } from '../../model/statuses/status.ts'

const modules = ['projects', 'milestones', 'tasks'] as const
type Module = (typeof modules)[number]

/** Milestones follow the permission of projects. */
const permissionOf = (module: Module) => (module === 'milestones' ? 'projects' : module)

/** The maximum number of statuses per module. */
const most = 100

const category = enumeration(categories, { title: 'StatusCategory' })

const setting = Type.Object(
  {
    status_id: Type.String(),
    status_key: Type.String(),
    status_name: Type.String(),
    category,
    color: orNull(Type.String()),
    icon: orNull(Type.String()),
    position: Type.Integer(),
    is_default: Type.Boolean({
      description: 'the status that a record of its category gets first',
    }),
    is_archived: Type.Boolean({ description: 'stays on records, but is no longer offered' }),
  },
  { title: 'StatusSetting' },
)
type Setting = Static<typeof setting>

const statusInput = Type.Object(
  {
    status_id: Type.Optional(Type.String({ minLength: 1, maxLength: 25 })),
    status_key: Type.Optional(Type.String({ pattern: '^[a-z0-9_]{1,100}$' })),
    status_name: Type.Optional(Type.String({ pattern: '\\S', maxLength: 255 })),
    category: Type.Optional(category),
    color: Type.Optional(orNull(Type.String({ maxLength: 40, format: 'color' }))),
    icon: Type.Optional(orNull(Type.String({ maxLength: 100 }))),
    is_default: Type.Optional(Type.Boolean()),
    is_archived: Type.Optional(Type.Boolean()),
    position: Type.Optional(Type.Integer({ description: 'the order of the body decides' })),
  },
  { title: 'StatusInput', additionalProperties: false },
)
type StatusInput = Static<typeof statusInput>

const params = Type.Object({
  module: Type.String({ description: `one of ${modules.join(', ')}` }),
})
const output = Type.Object(
  { module: enumeration(modules, { title: 'StatusModule' }), statuses: arrayOf(setting) },
  { title: 'StatusSettings' },
)
const statusesUpdate = Type.Object(
  {
    statuses: Type.Array(statusInput, { minItems: 1, maxItems: most }),
    module: Type.Optional(Type.String({ description: 'as the list gives it' })),
  },
  { title: 'StatusesUpdate', additionalProperties: false },
)
const named = Type.Object({ module: enumeration(modules, { title: 'StatusModule' }) })
const common = { topic: 'organization', can: 'signed_in', output } as const

/**
 * The statuses of projects, milestones and tasks, as data of the organization. Whoever may read the
 * module reads them; whoever may update all of it edits them.
 */
export const statusSettings = {
  list: operation({
    ...common,
    name: 'list_statuses',
    summary: 'List the statuses of modules',
    description: 'Archived ones too: of one module, or of all that you may read.',
    writes: false,
    input: {
      query: Type.Object({
        module: Type.Optional(enumeration(modules, { title: 'StatusModule' })),
      }),
    },
    output: arrayOf(output),
    async run(ctx, { query: { module: only } }) {
      const isReadable = (module: Module) =>
        may(ctx.actor, { module: permissionOf(module), action: 'read' })
      if (only && !isReadable(only)) throw forbidden(`Your role may not read ${only}`)
      const chosen = (only ? [only] : modules).filter(isReadable)
      const each = chosen.map(async (module) => ({
        module,
        statuses: await storedStatuses(ctx, module),
      }))
      return Promise.all(each)
    },
  }),
  ofModule: operation({
    ...common,
    name: 'read_module_statuses',
    summary: 'List the statuses of a module',
    description: 'In their order, archived ones too.',
    writes: false,
    input: { query: named },
    run(ctx, { query: { module } }) {
      const isReadable = may(ctx.actor, { module: permissionOf(module), action: 'read' })
      if (!isReadable) throw forbidden(`Your role may not read ${module}`)
      return storedStatuses(ctx, module).then((statuses) => ({ module, statuses }))
    },
  }),
  updateOfModule: operation({
    ...common,
    name: 'update_module_statuses',
    summary: 'Update the statuses of a module named in the query',
    description:
      'Statuses merge by id or key, and follow the order of a body that names them all. None is removed; one is archived with `is_archived`.',
    writes: true,
    input: { query: named, body: statusesUpdate },
    run: (ctx, { query, body }) => updateStatuses(ctx, query.module, body.statuses),
  }),
  update: operation({
    ...common,
    name: 'update_statuses',
    summary: 'Update the statuses of a module',
    description:
      'Statuses merge by id or key, and follow the order of a body that names them all. None is removed; one is archived with `is_archived`.',
    writes: true,
    input: {
      params,
      body: statusesUpdate,
    },
    run: (ctx, { params, body }) => updateStatuses(ctx, moduleNamed(params.module), body.statuses),
  }),
  remove: operation({
    ...common,
    name: 'delete_status',
    summary: 'Delete a status',
    description: 'One that no record has, the deleted ones included; others can be archived.',
    writes: true,
    input: {
      params: Type.Object({
        module: params.properties.module,
        status_id: Type.String({ description: 'its id or key' }),
      }),
    },
    output: null,
    run: (ctx, { params: { module, status_id } }) =>
      removeStatus(ctx, moduleNamed(module), status_id),
  }),
}

function moduleNamed(name: string): Module {
  const found = modules.find((module) => module === name)
  if (!found) throw notFound('Module with statuses')
  return found
}

function storedStatuses(ctx: Context, module: Module): Promise<Setting[]> {
  return ctx.all<Setting>(sql`
    select id as status_id, status_key, status_name, category, color, icon, position, is_default,
      is_archived from statuses t where ${mine(ctx)} and module = ${module} order by position, id`)
}

/** The statuses, locked; 403 for callers who may not update all records of the module. */
async function lockStatuses(ctx: Context, module: Module): Promise<Setting[]> {
  if (!mayAll(ctx.actor, permissionOf(module), 'update')) {
    throw forbidden(`Only a role that may update all ${module} may change their statuses`)
  }
  await lockName(ctx, `statuses ${ctx.organization.id} ${module}`)
  return storedStatuses(ctx, module)
}

async function updateStatuses(ctx: Context, module: Module, input: StatusInput[]) {
  const before = await lockStatuses(ctx, module)
  const after = merge(before, input)
  checkWhole(after)
  const changes = differences(before, after)
  for (const { from } of changes) {
    const to = from && after.find(({ status_id }) => status_id === from.status_id)
    // values that follow from the category, such as when something was completed, would become wrong
    if (to && from.category !== to.category) await mustBeUnused(ctx, module, from)
  }
  if (changes.length) await save(ctx, module, changes)
  return { module, statuses: after }
}

async function removeStatus(ctx: Context, module: Module, named: string): Promise<void> {
  const before = await lockStatuses(ctx, module)
  const found = before.find(({ status_id, status_key }) => [status_id, status_key].includes(named))
  if (!found) throw notFound('Status')
  checkWhole(before.filter((each) => each !== found))
  await mustBeUnused(ctx, module, found)
  await ctx.run(sql`delete from statuses t where ${mine(ctx)} and t.id = ${found.status_id}`)
  await log(ctx, module, [{ field: found.status_key, from: found, to: null }])
}

/** 409 if a record has the status; waits for writes that are about to set it. */
async function mustBeUnused(ctx: Context, module: Module, { status_id, status_name }: Setting) {
  await ctx.run(sql`select from statuses t where ${mine(ctx)} and t.id = ${status_id} for update`)
  const found = await ctx.one(sql`select from ${sql.table(module)} t
    where ${mine(ctx)} and t.status_id = ${status_id} limit 1`)
  if (found) throw conflict(`The status ${status_name} is in use: archive it`, 'status_in_use')
}

/** 400 without a status to begin with, or without one to end with. */
function checkWhole(statuses: Setting[]) {
  if (statuses.length > most) throw badField('statuses', `at most ${most}`)
  for (const needed of ['not_started', 'in_progress', 'completed'] as const) {
    if (!statuses.some((each) => each.category === needed && !each.is_archived)) {
      throw badField('statuses', `must keep one of the category ${needed}`)
    }
  }
  const defaults = statuses.filter(({ is_default }) => is_default)
  if (defaults.length !== 1 || defaults[0]?.is_archived) {
    throw badField('statuses', 'must have one default that is not archived')
  }
}

function merge(before: Setting[], input: StatusInput[]): Setting[] {
  const after = new Map(before.map((each) => [each.status_id, each]))
  const order: string[] = []
  for (const [i, { position: _, ...status }] of input.entries()) {
    const at = `statuses.${i}`
    const status_key = status.status_key ?? (valueOf(status.status_name ?? '') || undefined)
    const old = status.status_id
      ? after.get(status.status_id)
      : [...after.values()].find((each) => each.status_key === status_key)
    if (status.status_id && !old) throw badField(`${at}.status_id`, 'no such status')
    if (old && status.status_key && old.status_key !== status.status_key) {
      throw badField(`${at}.status_key`, 'never changes')
    }
    const next = { ...(old ?? fresh(status, status_key, at)), ...status }
    if (old) next.status_key = old.status_key
    if (order.includes(next.status_id ?? '')) throw badField(at, 'is named twice')
    const whole = next as Setting
    order.push(whole.status_id)
    after.set(whole.status_id, whole)
    // a new default replaces the former one
    if (status.is_default) {
      for (const each of after.values()) {
        if (each !== whole) after.set(each.status_id, { ...each, is_default: false })
      }
    }
  }
  const left = before.filter(({ status_id }) => !order.includes(status_id))
  const isWhole = left.every(({ status_id }) => after.get(status_id)?.is_archived)
  const sequence = isWhole
    ? [...order, ...left.map(({ status_id }) => status_id)]
    : [...after.keys()]
  return sequence.flatMap((id, position) => {
    const status = after.get(id)
    return status ? [{ ...status, position }] : []
  })
}

function fresh(status: StatusInput, status_key: string | undefined, at: string): Setting {
  if (!status.status_name) throw badField(`${at}.status_name`, 'is required')
  if (!status.category) throw badField(`${at}.category`, 'is required')
  if (!status_key) throw badField(`${at}.status_key`, 'is required')
  return {
    status_id: newId(),
    status_key,
    status_name: status.status_name,
    category: status.category,
    color: null,
    icon: null,
    position: 0,
    is_default: false,
    is_archived: false,
  }
}

type Difference = Change & { from: Setting | null; to: Setting | null }

function differences(before: Setting[], after: Setting[]): Difference[] {
  return after.flatMap((to) => {
    const from = before.find(({ status_id }) => status_id === to.status_id) ?? null
    return from && equal(from, to) ? [] : [{ field: to.status_key, from, to }]
  })
}

async function save(ctx: Context, module: Module, changes: Difference[]): Promise<void> {
  const rows = changes.map(({ to }) => to)
  await ctx.run(sql`
    insert into statuses (organization_id, id, module, status_key, status_name, category, color, icon,
      position, is_default, is_archived)
    select ${ctx.organization.id}, s.status_id, ${module}, s.status_key, s.status_name, s.category,
      s.color, s.icon, s.position, s.is_default, s.is_archived
    from json_to_recordset(${JSON.stringify(rows)}) as s (status_id text, status_key text,
      status_name text, category text, color text, icon text, position integer, is_default boolean,
      is_archived boolean)
    on conflict (organization_id, id) do update set status_name = excluded.status_name,
      category = excluded.category, color = excluded.color, icon = excluded.icon,
      position = excluded.position, is_default = excluded.is_default,
      is_archived = excluded.is_archived`)
  await log(ctx, module, changes)
}

async function log(ctx: Context, module: Module, changes: Change[]): Promise<void> {
  const entry = { module: permissionOf(module), word: 'status' }
  await announce(ctx, entry, 'updated', {
    id: null,
    title: `Statuses of ${module} changed`,
    changes,
  })
  ctx.forget()
}
