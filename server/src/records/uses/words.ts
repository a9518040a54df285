import type { Context, Query } from '../../kit/ground/context.ts'
import { badField, forbidden, notFound } from '../../kit/ground/errors.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { mayAll } from '../../kit/record/scope.ts'
import { records } from '../../model/all.ts'
import { Filter } from '../../model/filters/filter.ts'
import type { Link } from '../links/links.ts'
import { names } from '../links/repoint.ts'

/** What is named in conditions and settings by a word instead of a record's id. */
export const wordKinds = ['field', 'option', 'status'] as const

/** Rows that name it: a column of a record, and the condition over `t`. */
export type Naming = { link: Link; condition: Query }

/**
 * Where a custom field (`companies.plan`), an option of a field (`companies.plan.gold`) or a status (its id) may be
 * named: in the JSON of all records, and in the sort and grouping of saved filters. 400 for an id of another form,
 * 403 for callers who may not delete it, 404 for a status that is none.
 */
export async function namingsOf(
  ctx: Context,
  kind: (typeof wordKinds)[number],
  id: string,
): Promise<Naming[]> {
  if (kind === 'status') return namingStatus(ctx, id)
  const [module = '', field = '', ...rest] = id.split('.')
  const record = records.find((each) => each.module === module)
  const option = kind === 'option' ? rest.join('.') : undefined
  if (!record || !field || option === '') {
    const form = kind === 'field' ? 'module.key' : 'module.field.value'
    throw badField('id', `must be ${form}, such as companies.plan${option === '' ? '.gold' : ''}`)
  }
  mustChange(ctx, module)
  const name = Object.hasOwn(record.fields, field) ? field : `custom_fields.${field}`
  const inJson = jsonLinks(module).map((link) => {
    const isOption = option !== undefined && names(link, option)
    return { link, condition: all(names(link, name), isOption || undefined) }
  })
  if (option !== undefined) return inJson
  const inText = ['sort', 'group_by'].map((column) => {
    const at = sql.ref(`t.${column}`)
    const parts = sql`regexp_split_to_array(${at}, '[, +-]+')`
    return { link: filterLink(column, module), condition: sql`${name} = any(${parts})` }
  })
  return [...inJson, ...inText]
}

async function namingStatus(ctx: Context, id: string): Promise<Naming[]> {
  const found = await ctx.one<{ module: string; status_key: string; status_name: string }>(sql`
    select t.module, t.status_key, t.status_name from statuses t where ${mine(ctx)} and t.id = ${id}`)
  if (!found) throw notFound('Status')
  mustChange(ctx, found.module === 'milestones' ? 'projects' : found.module)
  return jsonLinks(found.module).map((link) => {
    const at = sql.ref(`t.${link.column}`)
    const byWord = [found.status_key, found.status_name].map((word) => names(link, word))
    const ofStatus = sql`position('"status' in ${at}::text) > 0`
    return {
      link,
      condition: sql`(${names(link, id)} or (${ofStatus} and (${sql.join(byWord, sql` or `)})))`,
    }
  })
}

function mustChange(ctx: Context, module: string): void {
  if (mayAll(ctx.actor, module, 'update')) return
  throw forbidden(`Only a role that may update all ${module} may ask what uses its words`)
}

/** The columns with conditions and settings of all records; of saved filters those for the module. */
function jsonLinks(module: string): Link[] {
  const loose = records
    .filter((record) => record !== Filter)
    .flatMap((record) =>
      record.life.loose
        .filter(({ isJson }) => isJson)
        .map(({ column }): Link => ({
          table: record.table,
          column,
          record,
          isJson: true,
          ...(record.only ? { only: record.only } : {}),
        })),
    )
  const own = ['conditions', 'columns', 'column_widths', 'report'].map((column) =>
    filterLink(column, module),
  )
  return [...own, ...loose]
}

function filterLink(column: string, module: string): Link {
  // of the modules that there are: no text of a caller
  const only = `t.module = '${module}'`
  return { table: Filter.table, column, record: Filter, isJson: true, only }
}
