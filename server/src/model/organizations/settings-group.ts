import type { Static, TObject } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import type { Change } from '../../kit/ground/event.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { Can } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { capitalized } from '../../kit/record/record.ts'
import { announce } from '../../kit/write/announce.ts'
import { equal } from '../../kit/ground/object.ts'
import { requireAdmin } from '../users/guards.ts'
import { securityEntries } from './security.ts'

type Group<S extends TObject> = {
  /** the end of the operations' names: `mail_defaults` */
  name: string
  /** its name in summaries and titles of log entries: `mail defaults` */
  title: string
  /** a table with one row per organization and a column for each property */
  table: string
  schema: S
  /** the values of an organization without a row; absent if each has one */
  defaults?: Static<S>
  /** who may read it; only admins change it */
  can: Can
  /** the values as they are stored, such as a list in its order */
  order?(next: Static<S>): Static<S>
}

/** Operations that read and change a group of settings, stored in a row of its own table. */
export function settingsGroup<S extends TObject>(group: Group<S>) {
  const { name, title, schema, can } = group
  const topic = 'organization'
  const refusal = `Only admins change the ${title}`
  return {
    refusal,
    read: operation({
      name: `read_${name}`,
      summary: `Retrieve the ${title}`,
      topic,
      can,
      writes: false,
      input: {},
      output: schema,
      run: (ctx) => readSettings(ctx, group),
    }),
    update: operation({
      name: `update_${name}`,
      summary: `Update the ${title}`,
      description: 'For admins. What is left out stays as it is.',
      topic,
      can: { module: 'roles', action: 'update' },
      writes: true,
      input: { body: updateBody(schema) },
      output: schema,
      async run(ctx, { body }) {
        await requireAdmin(ctx, refusal)
        return changeSettings(ctx, group, body as Partial<Static<S>>)
      },
    }),
  }
}

/** The body of an update: any of the properties, and no others. */
function updateBody<S extends TObject>(of: S) {
  return Type.Partial(of, {
    title: `${String((of as JSONSchema).title)}Update`,
    additionalProperties: false,
  })
}

/** The settings of a group, with defaults; locked if they are to be changed. */
export async function readSettings<S extends TObject>(
  ctx: Context,
  { table, schema, defaults }: Pick<Group<S>, 'table' | 'schema' | 'defaults'>,
  locks = false,
): Promise<Static<S>> {
  const columns = Object.keys(schema.properties).map((name) => sql.ref(`t.${name}`))
  const stored = await ctx.one<Static<S>>(sql`select ${sql.join(columns)}
    from ${sql.table(table)} t where ${mine(ctx)} ${locks ? sql`for update` : sql``}`)
  const found = stored ?? defaults
  if (!found) throw new Error(`the organization has no row in ${table}`)
  return found
}

/** Stores the changes of a body, with a log entry; returns the new settings. */
export async function changeSettings<S extends TObject>(
  ctx: Context,
  group: Pick<Group<S>, 'title' | 'table' | 'schema' | 'defaults' | 'order'>,
  body: Partial<Static<S>>,
  title = `${capitalized(group.title)} changed`,
): Promise<Static<S>> {
  if (group.defaults) {
    await ctx.run(sql`insert into ${sql.table(group.table)} (organization_id)
      values (${ctx.organization.id}) on conflict do nothing`)
  }
  const from = await readSettings(ctx, group, true)
  const merged = { ...(from as object), ...(body as object) } as Static<S>
  const next = group.order?.(merged) ?? merged
  const changes = differences(from as Values, next as Values)
  if (!changes.length) return next
  const set = changes.map(
    ({ field, to }) =>
      sql`${sql.ref(field)} = ${typeof to === 'object' && to !== null ? JSON.stringify(to) : to}`,
  )
  await ctx.run(sql`update ${sql.table(group.table)} t set ${sql.join(set)} where ${mine(ctx)}`)
  const entry = { module: securityEntries.module, word: group.title }
  await announce(ctx, entry, 'updated', { id: null, title, changes })
  ctx.forget()
  return next
}

type Values = { [name: string]: unknown }

function differences(before: Values, after: Values): Change[] {
  return Object.keys(after)
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
    .filter(({ from, to }) => !equal(from, to))
}
