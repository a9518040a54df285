import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { lookUpMany } from '../../kit/read/look-up.ts'
import { choosable, optionNamed } from '../../kit/record/option-sets.ts'
import type { Field } from '../../kit/record/record.ts'
import type { ValueChoices } from '../../model/imports/shown.ts'
import { pipelinesOf } from '../../model/projects/pipelines/cached.ts'
import { categories, statusesOf } from '../../model/statuses/status.ts'
import { folded } from '../../model/sheets/header.ts'
import type { Importable } from './importable.ts'
import type { Target } from './mapping.ts'
import { nameOf } from './mapping.ts'
import { chanceOf, meaningOf, meanSame } from './synonyms.ts'
import { isNone, outcomeOf } from './words.ts'

/** One of the values that a field may have. */
export type Choice = { value: string; label: string }

/** What is known of a text in a column: what it becomes, null for nobody or none, or what may be meant by it. */
export type Known = { becomes?: string | null; suggestion?: string }

/** A column whose cells are one of several values. */
export type ValueColumn = {
  choices: Choice[]
  /** whether a text without a choice stays as it is */
  isOpen: boolean
  isPerson: boolean
  known(text: string): Known
}

/** What a text becomes, null for an empty cell and undefined if nothing is known, and whether somebody chose that. */
export type Decided = {
  becomes: string | null | undefined
  isChosen: boolean
  /** it was chosen for an earlier file */
  isRemembered: boolean
}

type Becoming = Map<string, string | null>

/**
 * What texts of a column become: what was chosen for them, for this file or for an earlier one, else what they mean. `users`
 * are those of remembered users who are still there. A remembered value that is none of the choices any more is none.
 */
export function decidedBy(
  { choices, isPerson, known }: ValueColumn,
  values: { [value: string]: string | null },
  remembered: Becoming,
  users: Map<string, string>,
): (text: string) => Decided {
  const chosen: Becoming = new Map(Object.entries(values).map(([text, to]) => [keyOf(text), to]))
  const possible = new Set(choices.map(({ value }) => value))
  const isPossible = (value: string) => (isPerson ? users : possible).has(value)
  return (text) => {
    const key = keyOf(text)
    const before = remembered.get(key)
    const isChosen = chosen.has(key)
    const isRemembered =
      !isChosen && before !== undefined && (before === null || isPossible(before))
    if (isChosen) return { becomes: chosen.get(key) ?? null, isChosen, isRemembered }
    return { becomes: isRemembered ? before : known(text).becomes, isChosen, isRemembered }
  }
}

/** The values that a target may have; undefined for one that may have any. */
export async function valueColumn(
  ctx: Context,
  importable: Importable,
  target: Target,
): Promise<ValueColumn | undefined> {
  const { record } = importable
  if (target.kind === 'link') {
    const isPerson = target.field.reference?.table === 'people'
    const known = (text: string) => (isNone(text) ? { becomes: null } : {})
    return isPerson ? { choices: [], isOpen: false, isPerson, known } : undefined
  }
  if (target.kind === 'custom') {
    const { type, options = [] } = target.definition ?? {}
    if (type !== 'select' && type !== 'multi_select') return undefined
    return ofOptions(
      options.map(({ value, label }) => ({ value: String(value), label })),
      false,
    )
  }
  if (target.kind !== 'field') return undefined
  const { name, field } = target
  const hasStages = record.module === 'deals' || record.module === 'projects'
  if (hasStages && name === 'stage_id') return stages(ctx)
  if (hasStages && name === 'pipeline_id') return pipelines(ctx)
  if (name === 'status' && !field.optionSet) {
    const module = hasStages ? 'projects' : record.module
    if (module === 'projects' || module === 'tasks' || module === 'milestones')
      return statuses(ctx, module)
  }
  if (name === 'currency_unit') return undefined
  const optionSet =
    record.module === 'tasks' && name === 'priority'
      ? { module: 'tasks', name: 'priorities' }
      : setWithOptions(record.fields[name])
  if (!optionSet) return undefined
  const options = await choosable(ctx, { optionSet })
  return ofOptions(
    options.map(({ value, label }) => ({ value: String(value), label })),
    true,
  )
}

function ofOptions(choices: Choice[], isOpen: boolean): ValueColumn {
  const known = (text: string): Known => {
    const exact = optionNamed(choices, text)
    if (exact) return { becomes: exact }
    const same = choices.filter(
      ({ value, label }) => meanSame(text, value) || meanSame(text, label),
    )
    const [only] = same
    if (only && same.length === 1) return { becomes: only.value }
    if (isNone(text)) return { becomes: null }
    const near = choices.find(({ label, value }) => isWithin(text, label) || isWithin(text, value))
    return near ? { suggestion: near.value } : {}
  }
  return { choices, isOpen, isPerson: false, known }
}

/** Whether a text begins with a word, as `OPEN_DEAL` does with `Open`. */
function isWithin(text: string, word: string): boolean {
  const [first] = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return first !== undefined && first.length > 2 && first === word.toLowerCase()
}

async function stages(ctx: Context): Promise<ValueColumn> {
  const all = await pipelinesOf(ctx)
  const several = all.length > 1
  const listed = all.flatMap(({ pipeline_name, stages: its }) =>
    its.map((stage) => ({ ...stage, pipeline_name })),
  )
  const choices = listed.map(({ stage_id, stage_name, pipeline_name }) => ({
    value: stage_id,
    label: several ? `${pipeline_name}: ${stage_name}` : stage_name,
  }))
  const known = (text: string): Known => {
    const word = folded(text)
    const named = listed.find(
      ({ stage_id, stage_key, stage_name }) =>
        stage_id === text || folded(stage_key) === word || folded(stage_name) === word,
    )
    if (named) return { becomes: named.stage_id }
    const outcome = outcomeOf(text)
    const closed = listed.filter(({ category }) => category === outcome)
    if (closed[0] && outcome !== 'open') return { becomes: closed[0].stage_id }
    const first = listed.filter(({ pipeline_id }) => pipeline_id === listed[0]?.pipeline_id)
    const open = first.filter(({ category }) => category === 'open')
    const same = open.filter(
      ({ stage_name, stage_key }) => meanSame(text, stage_name) || meanSame(text, stage_key),
    )
    if (same[0] && same.length === 1) return { becomes: same[0].stage_id }
    const chance = chanceOf(text)
    const by = open.toSorted(
      (a, b) => Math.abs(a.probability - (chance ?? 0)) - Math.abs(b.probability - (chance ?? 0)),
    )
    return chance !== undefined && by[0] ? { suggestion: by[0].stage_id } : {}
  }
  return { choices, isOpen: false, isPerson: false, known }
}

async function pipelines(ctx: Context): Promise<ValueColumn> {
  const all = await pipelinesOf(ctx)
  const choices = all.map(({ pipeline_id: value, pipeline_name: label }) => ({ value, label }))
  const known = (text: string): Known => {
    const found = all.find(
      ({ pipeline_id, pipeline_name }) =>
        pipeline_id === text || folded(pipeline_name) === folded(text),
    )
    if (found) return { becomes: found.pipeline_id }
    // with one pipeline there is no other place
    const [only] = all
    return all.length === 1 && only ? { becomes: only.pipeline_id } : {}
  }
  return { choices, isOpen: false, isPerson: false, known }
}

async function statuses(
  ctx: Context,
  module: 'projects' | 'tasks' | 'milestones',
): Promise<ValueColumn> {
  const all = await statusesOf(ctx, module)
  const choices = all.map(({ status_key: value, status_name: label }) => ({ value, label }))
  const known = (text: string): Known => {
    const word = folded(text)
    const named = all.find(
      ({ id, status_key, status_name }) =>
        id === text || folded(status_key) === word || folded(status_name) === word,
    )
    if (named) return { becomes: named.status_key }
    const category = meaningOf(text, categories)
    const its = all.filter((each) => each.category === category)
    const found = its.find(({ is_default }) => is_default) ?? its[0]
    if (found) return { becomes: found.status_key }
    return {}
  }
  return { choices, isOpen: false, isPerson: false, known }
}

/** The field of a target to which options can be added: a custom one, or a built-in one with a set of options. */
export function optionField({ record }: Importable, target: Target): string | undefined {
  if (target.kind === 'custom') {
    const type = target.definition?.type
    return type === 'select' || type === 'multi_select' ? target.key : undefined
  }
  if (target.kind !== 'field') return undefined
  return setWithOptions(record.fields[target.name]) ? target.name : undefined
}

/** The set of options of a built-in field; undefined for one that takes any text. */
function setWithOptions(field: Field | undefined) {
  const { optionSet, schema } = field ?? {}
  return optionSet?.isOpen || schema?.pattern ? undefined : optionSet
}

/** What an organization chose for values of these fields of a module: field → folded value → what it becomes. */
export async function rememberedValues(ctx: Context, module: string, fields: string[]) {
  const known = new Map<string, Map<string, string | null>>()
  if (!fields.length) return known
  const rows = await ctx.all<{ field: string; value: string; becomes: string | null }>(sql`
    select t.field, t.value, t.becomes from import_values t
    where ${mine(ctx)} and t.module = ${module} and t.field = any(${fields})`)
  for (const { field, value, becomes } of rows) {
    known.set(field, (known.get(field) ?? new Map()).set(value, becomes))
  }
  return known
}

/** Remembers what was chosen for values of columns, for the next file. */
export async function rememberValues(
  ctx: Context,
  module: string,
  importable: Importable,
  targets: { target: Target; column: string }[],
  values: ValueChoices,
) {
  const rows = targets.flatMap(({ target, column }) =>
    Object.entries(values[column] ?? {}).map(([value, becomes]) => ({
      field: nameOf(importable, target),
      value: keyOf(value),
      becomes,
    })),
  )
  if (!rows.length) return
  const distinct = [...new Map(rows.map((row) => [`${row.field} ${row.value}`, row])).values()]
  await ctx.run(sql`insert into import_values as t
      (organization_id, module, field, value, becomes, last_update_time)
    select ${ctx.organization.id}, ${module}, n.field, n.value, n.becomes, ${ctx.now().toISOString()}
    from json_to_recordset(${JSON.stringify(distinct)}::json) as n (field text, value text, becomes text)
    on conflict (organization_id, module, field, value) do update
      set becomes = excluded.becomes, last_update_time = excluded.last_update_time`)
}

/** A value as it is compared. */
export function keyOf(value: string): string {
  return value.trim().toLowerCase().slice(0, 255)
}

/** The users of these whom a link to a person can still name, by their ids. */
export async function usersOf(
  ctx: Context,
  { field }: Extract<Target, { kind: 'link' }>,
  ids: string[],
): Promise<Map<string, string>> {
  return ids.length ? lookUpMany(ctx, field, 'user_id', ids) : new Map()
}

/** The users whom texts name by e-mail or name: text → id, and the names of these and of others by id. */
export async function peopleNamed(
  ctx: Context,
  target: Extract<Target, { kind: 'link' }>,
  texts: string[],
  others: string[],
): Promise<{ ids: Map<string, string>; names: Map<string, string> }> {
  const emails = texts.filter((text) => text.includes('@'))
  const words = texts.filter((text) => !text.includes('@'))
  const named = await Promise.all([
    emails.length ? lookUpMany(ctx, target.field, 'email', emails) : new Map<string, string>(),
    words.length ? lookUpMany(ctx, target.field, 'full_name', words) : new Map<string, string>(),
  ])
  const ids = new Map(named.flatMap((each) => [...each]))
  const found = [...ids.values(), ...(await usersOf(ctx, target, others)).values()]
  const rows = await ctx.all<{ id: string; full_name: string }>(sql`
    select t.id, t.full_name from users t where ${mine(ctx)} and t.id = any(${found})`)
  return { ids, names: new Map(rows.map(({ id, full_name }) => [id, full_name])) }
}
