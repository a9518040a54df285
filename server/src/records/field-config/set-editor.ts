import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField, forbidden, notFound } from '../../kit/ground/errors.ts'
import type { Change } from '../../kit/ground/event.ts'
import { newId } from '../../kit/ground/ids.ts'
import { extend, orNull, schema } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { moduleInPath, moduleNumber } from '../../kit/record/modules.ts'
import { shownTo } from '../../kit/record/audience.ts'
import { levelOf, mayAll } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import { optionSets as freshSets, valueOf } from '../../model/organizations/option-sets.ts'
import { registered } from '../../kit/record/registry.ts'
import { labelOf } from './labels.ts'
import { lockFields } from '../../kit/write/unique.ts'
import { optionSchema } from './options.ts'

const storedOption = schema<Static<typeof optionSchema> & { is_archived: boolean }>({
  ...extend(optionSchema, { is_archived: Type.Boolean() }),
  title: 'OptionSetOption',
})
type StoredOption = Static<typeof storedOption>

/** The options of a field, archived ones too. */
export const setSchema = Type.Object(
  {
    module: Type.String(),
    set: Type.String(),
    field: orNull(Type.String({ description: 'the field whose values it offers' })),
    options: Type.Array(storedOption),
  },
  { title: 'OptionSet' },
)
type OptionSet = Static<typeof setSchema>

const most = 500

/** An option as an object, or as its label alone. */
type OptionInput = string | Partial<StoredOption>

const optionInput = schema<OptionInput>({
  type: ['object', 'string'],
  minLength: 1,
  maxLength: 255,
  properties: {
    value: { type: 'string', minLength: 1, maxLength: 255, pattern: '\\S' },
    label: { type: 'string', minLength: 1, maxLength: 255, pattern: '\\S' },
    color: { type: ['string', 'null'], maxLength: 40 },
    icon: { type: ['string', 'null'], maxLength: 100 },
    position: {
      type: 'integer',
      minimum: 0,
      maximum: 100_000,
      description: 'the order of the body when absent',
    },
    is_default: { type: 'boolean', description: 'of one option of the set' },
    is_archived: { type: 'boolean', description: 'stays on records, but is no longer offered' },
  },
})

/** The body that edits a set. */
export const setBody = Type.Object({ options: Type.Array(optionInput, { maxItems: most }) })

/**
 * The sets of a module, or of all modules that the caller may read, without those of fields that the caller does
 * not see. 400 for a module without sets, 403 without the right.
 */
export async function listSets(ctx: Context, name: string | undefined): Promise<OptionSet[]> {
  const isReadable = (module: string) => levelOf(ctx.actor, module, 'read') !== 'none'
  if (name === undefined) {
    const readable = Object.keys(freshSets).filter(isReadable)
    return (await Promise.all(readable.map((module) => shownSets(ctx, module)))).flat()
  }
  const module = moduleWithSets(name)
  if (!module) throw badField('module', `must be one of ${Object.keys(freshSets).join(', ')}`)
  if (!isReadable(module)) throw forbidden(`Your role may not read ${module}`)
  return shownSets(ctx, module)
}

async function shownSets(ctx: Context, module: string): Promise<OptionSet[]> {
  const fields = registered().flatMap((record) => Object.values(shownTo(ctx, record).fields))
  const isShown = ({ set }: OptionSet) =>
    fields.some(({ optionSet }) => optionSet?.module === module && optionSet.name === set)
  return (await setsOf(ctx, module)).filter((each) => each.field === null || isShown(each))
}

type Path = { module: string; set: string }

/** Merges options into a set by value. 400 for options without a value, two of one, or two defaults. */
export async function updateSet(
  ctx: Context,
  path: Path,
  input: OptionInput[],
): Promise<OptionSet> {
  const before = await lockSet(ctx, path)
  const options = mergeOptions(before, input)
  await save(ctx, before, options)
  return { ...before, options }
}

/** Removes an option from its set; records keep the value. 404 where there is none. */
export async function removeOption(ctx: Context, path: Path & { value: string }): Promise<void> {
  const before = await lockSet(ctx, path)
  const options = before.options.filter(({ value }) => value !== path.value)
  if (options.length === before.options.length) throw notFound('Option')
  await save(ctx, before, options)
}

/** The module in a path or query; undefined if no module with sets has that name. */
function moduleWithSets(name: string): string | undefined {
  const word = moduleInPath(name)
  return word && Object.hasOwn(freshSets, word) ? word : undefined
}

/** All sets of a module, with their archived options. */
async function setsOf(ctx: Context, module: string): Promise<OptionSet[]> {
  const rows = await ctx.all<StoredOption & { set_name: string }>(sql`
    select set_name, value, label, color, icon, position, is_default, is_archived
    from option_sets t where ${mine(ctx)} and module = ${module}
    order by set_name, position, value`)
  const bySet = Map.groupBy(rows, ({ set_name }) => set_name)
  // a set without options is still a set
  const names = new Set([...Object.keys(freshSets[module] ?? {}), ...bySet.keys()])
  return [...names].map((set) => ({
    module,
    set,
    field: fieldOf(module, set),
    options: (bySet.get(set) ?? []).map((row) => {
      const { set_name: _, ...option } = row
      return option
    }),
  }))
}

function fieldOf(module: string, set: string): string | null {
  const fields = registered().flatMap((record) => Object.entries(record.fields))
  const chosen = fields.find(
    ([, { optionSet }]) => optionSet?.module === module && optionSet.name === set,
  )
  return chosen?.[0] ?? null
}

/** The set of a path, locked: edits of a module's sets run one at a time. 404, then 403. */
async function lockSet(ctx: Context, path: Path): Promise<OptionSet> {
  const module = moduleWithSets(path.module)
  if (!module) throw notFound('Module')
  if (!mayAll(ctx.actor, module, 'update')) {
    throw forbidden(`Your role may not change the option sets of ${module}`)
  }
  // the field configuration edits the same rows
  await lockFields(ctx, module)
  const set = (await setsOf(ctx, module)).find((each) => each.set === path.set)
  if (!set) throw notFound('Option set')
  return set
}

/** The stored options with those of a body merged in by value, in the order of their positions. */
function mergeOptions({ set, options: old }: OptionSet, input: OptionInput[]): StoredOption[] {
  const all = new Map(old.map((option) => [option.value, option]))
  const seen = new Set<string>()
  let last = Math.max(-1, ...old.map(({ position }) => position))
  input.forEach((each, i) => {
    const { value: _, ...more }: Partial<StoredOption> =
      typeof each === 'string' ? { label: each } : each
    const value = valueOfInput(each, set)
    if (!value) throw badField(`options.${i}`, 'needs a value or a label')
    if (seen.has(value)) throw badField(`options.${i}.value`, `${value} is given twice`)
    seen.add(value)
    const known = all.get(value)
    const fresh = { label: labelOf(value), color: null, icon: null, is_default: false }
    const position = known ? known.position : ++last
    all.set(value, { ...fresh, position, is_archived: false, ...known, ...more, value })
  })
  if (all.size > most) throw badField('options', `at most ${most} in a set`)
  const options = [...all.values()].sort((a, b) => a.position - b.position)
  return oneDefault(options, input, set)
}

/** An option without a value gets one from its label, as in a new organization. */
function valueOfInput(each: OptionInput, set: string): string {
  const { value, label = '' }: Partial<StoredOption> =
    typeof each === 'string' ? { label: each } : each
  return value ?? (valueOf(label, set) || label)
}

/** At most one default: a new one replaces the previous one. */
function oneDefault(options: StoredOption[], input: OptionInput[], set: string): StoredOption[] {
  const [first, ...others] = input.filter((each) => typeof each !== 'string' && each.is_default)
  if (first === undefined) return options
  if (others.length) throw badField('options', 'only one may be the default')
  const chosen = valueOfInput(first, set)
  return options.map((option) => ({ ...option, is_default: option.value === chosen }))
}

async function save(ctx: Context, before: OptionSet, options: StoredOption[]) {
  const { module, set } = before
  const old = new Map(before.options.map((option) => [option.value, option]))
  const next = new Map(options.map((option) => [option.value, option]))
  const changes: Change[] = []
  for (const value of new Set([...old.keys(), ...next.keys()])) {
    const [from = null, to = null] = [old.get(value), next.get(value)]
    if (!isDeepStrictEqual(from, to)) changes.push({ field: `${set}.${value}`, from, to })
  }
  if (!changes.length) return
  const gone = [...old.keys()].filter((value) => !next.has(value))
  if (gone.length) {
    await ctx.run(sql`delete from option_sets t where ${mine(ctx)} and module = ${module}
      and set_name = ${set} and value = any(${gone})`)
  }
  const written = changes.flatMap(({ to }) => (to ? [to as StoredOption] : []))
  if (written.length) await write(ctx, before, written)
  ctx.forget()
  await announce(
    ctx,
    { module, word: 'option_set', number: moduleNumber(module) ?? null },
    'changed',
    {
      id: null,
      title: `Options of ${labelOf(set).toLowerCase()} changed`,
      action: 'option_set',
      changes,
      // the entry names a set instead of a record
      more: { name: undefined, set },
    },
  )
}

async function write(ctx: Context, { module, set }: OptionSet, options: StoredOption[]) {
  const rows = options.map(
    (each) => sql`(${ctx.organization.id}, ${newId()}, ${module}, ${set}, ${each.value},
      ${each.label}, ${each.color}, ${each.icon}, ${each.position}, ${each.is_default},
      ${each.is_archived})`,
  )
  await ctx.run(sql`
    insert into option_sets (organization_id, id, module, set_name, value, label, color, icon,
      position, is_default, is_archived)
    values ${sql.join(rows)}
    on conflict (organization_id, module, set_name, value) do update set label = excluded.label,
      color = excluded.color, icon = excluded.icon, position = excluded.position,
      is_default = excluded.is_default, is_archived = excluded.is_archived`)
}
