import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badFields } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { announceFields } from '../field-config/merge.ts'
import type { DescribedField } from './description.ts'
import type { Layout } from './layout-shape.ts'

/** How the organization has placed the fields of a module; undefined where it has not. */
export async function layoutOf(ctx: Context, { module }: AnyRecord): Promise<Layout | undefined> {
  const layouts = await ctx.cached('layouts', async (committed) => {
    const rows = await committed.all<Layout & { module: string }>(sql`
      select t.module, t.strip, t.rail, t.hidden from module_layouts t where ${mine(ctx)}`)
    return new Map(rows.map(({ module: its, ...layout }) => [its, layout]))
  })
  return layouts.get(module)
}

/**
 * Places the fields of a module for everybody; all null is as declared again. Returns what is stored then. 400 for what
 * has no place there.
 */
export async function placeFields(
  ctx: Context,
  record: AnyRecord,
  fields: DescribedField[],
  layout: Layout,
): Promise<Layout | null> {
  check(fields, layout)
  const before = await ctx.one<Layout>(sql`select t.strip, t.rail, t.hidden from module_layouts t
    where ${mine(ctx)} and t.module = ${record.module} for update`)
  const { strip, rail, hidden } = layout
  const after = strip || rail || hidden ? { strip, rail, hidden } : null
  if (isDeepStrictEqual(before ?? null, after)) return after
  await ctx.run(
    after
      ? sql`insert into module_layouts (organization_id, module, strip, rail, hidden)
          values (${ctx.organization.id}, ${record.module}, ${strip}::text[], ${rail}::text[],
            ${hidden}::text[])
          on conflict (organization_id, module) do update
            set strip = excluded.strip, rail = excluded.rail, hidden = excluded.hidden`
      : sql`delete from module_layouts t where ${mine(ctx)} and t.module = ${record.module}`,
  )
  await announceFields(ctx, record, [{ field: 'layout', from: before ?? null, to: after }])
  return after
}

/** 400 for names of no field, of one for programs, and for those that stand twice. */
function check(fields: DescribedField[], layout: Layout) {
  const known = new Map(fields.map((field) => [field.name, field]))
  const seen = new Set<string>()
  const errors: FieldError[] = []
  for (const place of ['strip', 'rail', 'hidden'] as const) {
    for (const [at, name] of (layout[place] ?? []).entries()) {
      const field = `${place}.${at}`
      if (!known.has(name)) errors.push({ field, message: 'no such field' })
      else if (known.get(name)?.place === 'system') {
        errors.push({ field, message: `${name} is about the record itself, and stands last` })
      } else if (seen.has(name)) errors.push({ field, message: `${name} has a place already` })
      seen.add(name)
    }
  }
  if (errors.length) throw badFields(errors)
}
