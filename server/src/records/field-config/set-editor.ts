import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../kit/ground/context.ts'
import type { Option } from '../../kit/record/custom.ts'
import { badField, forbidden, notFound } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { moduleNumber, moduleWord } from '../../kit/record/modules.ts'
import type { Action, Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { optionSets as freshSets, valueOf } from '../organizations/option-sets.ts'
import { labelOf, optionSetOf } from './built-in.ts'
import { optionSchema } from './options.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { Change } from '../../kit/ground/event.ts'

type KeptOption = Option & { is_archived: boolean }
type Set_ = { module: string; set: string; field: string | null; options: KeptOption[] }

const setSchema: JSONSchema = {
  title: 'OptionSet',
  type: 'object',
  properties: {
    module: { type: 'string' },
    set: { type: 'string' },
    field: { type: ['string', 'null'], description: 'the field whose values it offers' },
    options: {
      type: 'array',
      items: {
        ...optionSchema,
        properties: { ...(optionSchema.properties as object), is_archived: { type: 'boolean' } },
        required: [...(optionSchema.required as string[]), 'is_archived'],
      },
    },
  },
  required: ['module', 'set', 'field', 'options'],
}

const most = 500
const place = { type: 'integer', minimum: 0, maximum: 100_000 }
const givenOption: JSONSchema = {
  type: ['object', 'string'],
  minLength: 1,
  maxLength: 255,
  properties: {
    value: { type: 'string', minLength: 1, maxLength: 255, pattern: '\\S' },
    label: { type: 'string', minLength: 1, maxLength: 255, pattern: '\\S' },
    color: { type: ['string', 'null'], maxLength: 40 },
    icon: { type: ['string', 'null'], maxLength: 100 },
    position: { ...place, description: 'the order as given if none' },
    is_default: { type: 'boolean', description: 'of one option of the set' },
    is_archived: { type: 'boolean', description: 'kept on records and offered no more' },
  },
}

/** The words of one path: a module's word or number, and a set of it. */
const path = (...names: string[]): JSONSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
})

/**
 * What forms offer for the fields of a module, as data of the organization. Who may read the module
 * reads its sets; they are everybody's, so that only who may update all of it edits them.
 */
export const optionSetOperations = {
  list: {
    name: 'list_option_sets',
    summary: 'List the option sets of a module, or of all that you may read',
    // which right is needed depends on the module that is asked for
    can: 'signed_in',
    topic: 'option sets',
    writes: false,
    input: {
      query: {
        type: 'object',
        properties: {
          module: { type: 'string', minLength: 1, maxLength: 40, description: 'a word or number' },
        },
      },
    },
    output: { type: 'array', items: setSchema },
    async run(ctx: Context, { query }: Input) {
      if (query.module === undefined) {
        const readable = Object.keys(freshSets).filter(
          (module) => levelOf(ctx.actor, module, 'read') !== 'none',
        )
        return (await Promise.all(readable.map((module) => setsOf(ctx, module)))).flat()
      }
      const module = moduleWithSets(query.module)
      if (!module) throw badField('module', `must be one of ${Object.keys(freshSets).join(', ')}`)
      must(ctx, module, 'read')
      return setsOf(ctx, module)
    },
  },
  update: {
    name: 'update_option_set',
    summary: 'Edit an option set: options merge by value, none is removed but by is_archived',
    can: 'signed_in',
    topic: 'option sets',
    writes: true,
    input: {
      params: path('module', 'set'),
      body: {
        type: 'object',
        properties: { options: { type: 'array', maxItems: most, items: givenOption } },
        required: ['options'],
      },
    },
    output: setSchema,
    async run(ctx: Context, { params, body }: Input) {
      const before = await lockSet(ctx, params)
      const options = merged(before.options, body.options)
      await save(ctx, before, options)
      return { ...before, options }
    },
  },
  remove: {
    name: 'delete_option',
    summary: 'Take an option out of its set; records that have the value keep it',
    can: 'signed_in',
    topic: 'option sets',
    writes: true,
    input: { params: path('module', 'set', 'value') },
    output: null,
    async run(ctx: Context, { params }: Input) {
      const before = await lockSet(ctx, params)
      const options = before.options.filter(({ value }) => value !== params.value)
      if (options.length === before.options.length) throw notFound('Option')
      await save(ctx, before, options)
      return new Answer(null)
    },
  },
} satisfies { [name: string]: Operation }

/** The module of a path or query that has sets; undefined when there is none of that name. */
function moduleWithSets(given: string): string | undefined {
  // a path is written as it is told: its words are lower case
  const number = given === given.toLowerCase() ? moduleNumber(given) : undefined
  const word = number === undefined ? undefined : moduleWord(number)
  return word && Object.hasOwn(freshSets, word) ? word : undefined
}

function must(ctx: Context, module: string, action: Action) {
  if (levelOf(ctx.actor, module, action) === 'none') {
    throw forbidden(`Your role may not ${action} ${module}`)
  }
}

/** All sets of a module, with their archived options. */
async function setsOf(ctx: Context, module: string): Promise<Set_[]> {
  const rows = await ctx.all<KeptOption & { set_name: string }>(sql`
    select set_name, value, label, color, icon, position, is_default, is_archived
    from option_sets t where ${mine(ctx)} and module = ${module}
    order by set_name, position, value`)
  const bySet = Map.groupBy(rows, ({ set_name }) => set_name)
  // one that has lost its last option is a set all the same
  const names = new Set([...Object.keys(freshSets[module]!), ...bySet.keys()])
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
  const fields = Object.entries(optionSetOf[module] ?? {})
  return fields.find(([, name]) => name === set)?.[0] ?? null
}

/** The set of a path, so that one edit of the module's sets passes at a time. 404, then 403. */
async function lockSet(ctx: Context, params: { module: string; set: string }): Promise<Set_> {
  const module = moduleWithSets(params.module)
  if (!module) throw notFound('Module')
  if (levelOf(ctx.actor, module, 'update') !== 'all') {
    throw forbidden(`Your role may not change the option sets of ${module}`)
  }
  // the lock of the field configuration, which edits the same rows
  const lock = `field config ${ctx.organization.id} ${module}`
  await ctx.run(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  const set = (await setsOf(ctx, module)).find((each) => each.set === params.set)
  if (!set) throw notFound('Option set')
  return set
}

type Given = string | (Partial<KeptOption> & { value?: string })

/** Given options over those there are, by value, in the order of their positions. */
function merged(old: KeptOption[], given: Given[]): KeptOption[] {
  const all = new Map(old.map((option) => [option.value, option]))
  const seen = new Set<string>()
  let last = Math.max(-1, ...old.map(({ position }) => position))
  given.forEach((each, i) => {
    const { value: _, ...more }: Partial<KeptOption> =
      typeof each === 'string' ? { label: each } : each
    const value = valueGiven(each)
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
  return oneDefault(options, given)
}

/** An option without a value takes that of its label, as those of a fresh organization have. */
function valueGiven(each: Given): string {
  const { value, label = '' }: Partial<KeptOption> =
    typeof each === 'string' ? { label: each } : each
  return value ?? (valueOf(label) || label)
}

/** One default at most: the one given takes the mark from the one before. */
function oneDefault(options: KeptOption[], given: Given[]): KeptOption[] {
  const marked = given.filter((each) => typeof each !== 'string' && each.is_default)
  if (!marked.length) return options
  if (marked.length > 1) throw badField('options', 'only one may be the default')
  const chosen = valueGiven(marked[0]!)
  return options.map((option) => ({ ...option, is_default: option.value === chosen }))
}

async function save(ctx: Context, before: Set_, options: KeptOption[]) {
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
  const written = changes.flatMap(({ to }) => (to ? [to as KeptOption] : []))
  if (written.length) await write(ctx, before, written)
  ctx.forget()
  ctx.emit({
    type: null,
    title: `Options of ${labelOf(set).toLowerCase()} changed`,
    module_id: moduleNumber(module) ?? null,
    reference_id: null,
    changes,
    raw_description: { action: 'option_set', module, set },
  })
}

async function write(ctx: Context, { module, set }: Set_, options: KeptOption[]) {
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
