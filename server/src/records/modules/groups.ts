import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { enumeration, extend, orNull, schema, without } from '../../kit/ground/json-schema.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer, Json } from '../../kit/ground/operation.ts'
import { condition } from '../../kit/read/condition.ts'
import type { PageQuery } from '../../kit/read/list.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Figures, FigureGroup, Measured } from '../../kit/read/figures.ts'
import { groupUnits } from '../../kit/read/figures.ts'
import type { Group, Groups } from '../../kit/read/groups.ts'
import { groupOrders } from '../../kit/read/groups.ts'
import { shownTo } from '../../kit/record/audience.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { capitalized } from '../../kit/record/record.ts'
import type { Choice } from './choices.ts'
import { choicesNamed, datedFields, groupableFields, hopFields, rangedFields } from './choices.ts'

const unit = (description: string) => enumeration(groupUnits, { title: 'GroupUnit', description })

const parameters = {
  by: Type.String({
    minLength: 1,
    maxLength: 300,
    description:
      'the field to group by: one that is `is_groupable`, a date, or a number with `width`, including custom fields and those of linked records, such as `account_id.segment`',
  }),
  unit: Type.Optional(unit('the length of time by which `by` is grouped, if it is a date (month)')),
  width: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1e15,
      description: 'the size of the ranges into which `by` is divided, if it is a number',
    }),
  ),
  then: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'a second field: each group has `cells` by its values, which are the `columns`',
    }),
  ),
  then_unit: Type.Optional(unit('the same of `then`')),
  measures: Type.Optional(
    Type.String({
      maxLength: 2000,
      description:
        'up to 5 of `count`, `share`, and `sum:`, `average:`, `median:`, `share:` or `distinct:` with a field, comma-separated: the `figures` of each group (count)',
    }),
  ),
  sum: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'up to 5 fields to add up, comma-separated: those that are `is_summable`',
    }),
  ),
  items: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 50, description: 'records of each group (0)' }),
  ),
  order: Type.Optional(
    enumeration(groupOrders, {
      title: 'GroupOrder',
      description: 'the order of the groups: that of the choices, else by label, unless set',
    }),
  ),
}

const sum = Type.Object(
  {
    field: Type.String(),
    currency_unit: orNull(Type.String({ description: 'of an amount; null of other numbers' })),
    value: Type.Number(),
  },
  { title: 'GroupSum', additionalProperties: false },
)

const value = schema<string | boolean | null>({
  type: ['string', 'boolean', 'null'],
  description:
    'as in conditions; of dates the first day of the unit; null for records without a value',
})

const figures = Type.Array(
  Type.Object(
    {
      measure: Type.String({ description: 'as in `measures`' }),
      currency_unit: orNull(Type.String({ description: 'of an amount; null of other numbers' })),
      count: Type.Integer({ description: 'how many of the records have a value' }),
      value: orNull(Type.Number({ description: 'shares in per cent of all records of the list' })),
    },
    { title: 'GroupFigure', additionalProperties: false },
  ),
  { description: 'amounts in each currency by themselves' },
)

const filter = Type.Array(condition, {
  description: 'conditions that find these records, beside those of the request',
})

const cell = Type.Object(
  { value, count: Type.Integer(), figures },
  { title: 'GroupCell', additionalProperties: false },
)

const column = Type.Object(
  {
    value,
    label: orNull(Type.String()),
    color: orNull(Type.String()),
    count: Type.Integer(),
    filter,
    figures,
  },
  { title: 'GroupColumn', additionalProperties: false },
)

/** What is answered where figures are requested. */
const measured = {
  figures: Type.Optional(figures),
  columns: Type.Optional(Type.Array(column, { description: 'the largest values of `then`' })),
  left_out: Type.Optional(
    Type.Object(
      { groups: Type.Integer(), columns: Type.Integer() },
      {
        additionalProperties: false,
        description: 'how many more there are, whose records are in `total` and `figures`',
      },
    ),
  ),
}

/**
 * The records of a list in groups, with the list's conditions and rights: an operation derived from the list's.
 * 400 for a field by which lists cannot be grouped.
 */
export function groupsOf(record: AnyRecord, list: Operation): Operation {
  const { items } = list.output as unknown as { items: JSONSchema }
  const one = capitalized(
    record.word.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  )
  const group = Type.Object(
    {
      value,
      label: orNull(Type.String()),
      color: orNull(Type.String()),
      count: Type.Integer(),
      sums: Type.Array(sum, { description: 'amounts in each currency by themselves' }),
      records: schema<unknown[]>({ type: 'array', items, maxItems: 50 }),
      filter: Type.Optional(filter),
      figures: Type.Optional(figures),
      cells: Type.Optional(Type.Array(cell, { description: 'of the group by `then`' })),
    },
    { title: `${one}Group`, additionalProperties: false },
  )
  const query = without(
    schema<{ [name: string]: unknown }>(list.input.query ?? { type: 'object', properties: {} }),
    'page',
    'items_per_page',
    'offset',
    'include_count',
    'page_size',
    'page_number',
    'start',
    'end',
  )
  return {
    ...list,
    name: `group_${list.name.replace(/^list_/, '')}`,
    summary: `${list.summary} in groups`,
    description:
      'Divides the list by a field into at most 100 groups (the largest, if there are more), each with its count, its sums and its first records (`items`, in the order of `sort`). Groups without records are omitted; if records are large, each group has fewer. With `unit`, `then` or `measures`, or by a date, it answers `figures` of the groups, of the columns, of both together and of all records, and what finds the records of each, without records and `sums`.',
    input: { ...list.input, query: extend(query, parameters) as unknown as JSONSchema },
    output: Type.Object(
      {
        groups: Type.Array(group, { maxItems: 400 }),
        total: Type.Integer({ description: 'the records of all groups, left out ones included' }),
        ...measured,
      },
      { title: `${one}Groups`, additionalProperties: false },
    ) as unknown as JSONSchema,
    run: (ctx, input) => grouped(ctx, record, list, input),
  }
}

/** The figures of a record's list with the words of its choices, as the caller reads them. */
export async function figuresInWords(
  ctx: Context,
  record: AnyRecord,
  query: Measured & { by: string; filter: unknown[] },
): Promise<Figures> {
  const answer = await measuredBy(ctx, record, (asked) => listPage(ctx, record, asked), query)
  return answer.body as Figures
}

type Query = Measured & { by: string; order?: string; sum?: string; items?: number }

async function grouped(ctx: Context, whole: AnyRecord, list: Operation, input: Input) {
  const record = shownTo(ctx, whole)
  const query = input.query as Query
  const { by, order, then } = query
  const figured = () =>
    measuredBy(ctx, record, (asked) => list.run(ctx, { ...input, query: asked }), query)
  const [known, dated, hops] = await Promise.all([
    groupableFields(ctx, record),
    datedFields(ctx, record),
    hopFields(ctx, record),
  ])
  const all = [...known, ...dated, ...hops]
  if (then !== undefined && !all.includes(then))
    throw badField('then', `must be one of ${all.join(', ')}`)
  if (query.width !== undefined) {
    const ranged = await rangedFields(ctx, record)
    if (!ranged.includes(by)) throw badField('width', `is of numbers: ${ranged.join(', ')}`)
    return figured()
  }
  if (!all.includes(by)) throw badField('by', `must be one of ${all.join(', ')}`)
  const isMeasured =
    dated.includes(by) ||
    hops.includes(by) ||
    (query.unit ?? then ?? query.then_unit ?? query.measures)
  if (isMeasured) return figured()
  const choices = await choicesNamed(ctx, record, by)
  const byLabel = order === undefined && !choices.length ? { order: 'label' } : {}
  const answer = (await list.run(ctx, {
    ...input,
    query: { ...query, ...byLabel },
  })) as Answer
  const { groups, total } = answer.body as Groups
  const isBoolean = !choices.length && groups.every(({ value }) => isTruthValue(value))
  const named = groups.map((group) => labelled(group, choices))
  const texts = inOrder(named, choices, order).map(({ value, records, ...rest }) => {
    const shown = isBoolean && value !== null ? value === 'true' : value
    const head = JSON.stringify({ value: shown, ...rest })
    return `${head.slice(0, -1)},"records":[${records.join()}]}`
  })
  return new Answer(Json.of('{"groups":[', texts, `],"total":${total}}`))
}

/** The list in figures: groups and columns in the order of their choices, of days, or by label. */
async function measuredBy(
  ctx: Context,
  record: AnyRecord,
  read: (query: PageQuery) => Promise<unknown>,
  query: Query,
) {
  for (const name of ['sum', 'items'] as const) {
    if (query[name]) throw badField(name, 'has no meaning for figures: use measures')
  }
  // lists answer figures where one of the words that ask for them is there
  const { by, then, order, measures = 'count' } = query
  const answer = (await read({ ...query, measures } as PageQuery)) as Answer
  const found = answer.body as Figures
  const rows = await sideOf(ctx, record, by, found.groups, order, query.width)
  const columns = await sideOf(ctx, record, then, found.columns)
  const groups = rows.map(({ its, shown }) => {
    const cells = new Map(its.cells.map((one) => [one.value, one]))
    const inColumns = columns.flatMap((column) => {
      const cell = cells.get(column.its.value)
      return cell ? [{ ...cell, value: column.shown.value }] : []
    })
    const { count, figures: measured } = its
    return { ...shown, count, sums: [], records: [], figures: measured, cells: inColumns }
  })
  return new Answer({
    groups,
    total: found.total,
    figures: found.figures,
    columns: columns.map(({ its, shown }) => ({
      ...shown,
      count: its.count,
      figures: its.figures,
    })),
    left_out: found.left_out,
  })
}

/** The groups of one side in order, and how each is shown: with the words of its choice. */
async function sideOf<G extends FigureGroup>(
  ctx: Context,
  record: AnyRecord,
  name: string | undefined,
  groups: G[],
  order?: string,
  width?: number,
) {
  const choices =
    name === undefined || width !== undefined ? [] : await choicesNamed(ctx, record, name)
  const isBoolean = !choices.length && groups.every((group) => isTruthValue(group.value))
  const sides = groups.map((its) => {
    const named = labelled<FigureGroup>(its, choices)
    const { label, color, filter: found, count } = named
    const shown = isBoolean && named.value !== null ? named.value === 'true' : named.value
    const [first] = found as { operator?: string }[]
    // conditions on booleans take no words
    const filter = first?.operator === 'eq' ? [{ ...first, value: shown }] : found
    return { its, shown: { value: shown, label, color, filter }, count }
  })
  if (width !== undefined && (order === undefined || order === 'options')) {
    const start = ({ its: { value } }: (typeof sides)[number]) =>
      value === null ? Infinity : Number(value)
    return sides.toSorted((a, b) => start(a) - start(b))
  }
  const compare = ordered(choices, order)
  return sides.toSorted((a, b) =>
    compare({ ...a.shown, count: a.count }, { ...b.shown, count: b.count }),
  )
}

type Ordered = { value: string | boolean | null; label: string | null; count: number }

/** Those without a value come last in every order but that of counts. */
function ordered(choices: Choice[], order = 'options') {
  const places = new Map(choices.map(({ value }, at) => [String(value), at]))
  const placeOf = ({ value }: Ordered) => places.get(String(value)) ?? choices.length
  const labels = (a: Ordered, b: Ordered) =>
    Number(a.value === null) - Number(b.value === null) ||
    (a.label ?? '').localeCompare(b.label ?? '', 'en')
  return (a: Ordered, b: Ordered): number => {
    const byLabel = labels(a, b)
    if (order === 'count') return a.count - b.count || byLabel
    if (order === '-count') return b.count - a.count || byLabel
    if (order === '-label' && a.value !== null && b.value !== null) return -byLabel
    if (order !== 'options') return byLabel
    return Number(a.value === null) - Number(b.value === null) || placeOf(a) - placeOf(b) || byLabel
  }
}

function isTruthValue(value: string | null): boolean {
  return value === null || value === 'true' || value === 'false'
}

/** Groups in the order of the choices, then those of other values, then that without a value. */
function inOrder(groups: Group[], choices: Choice[], order = 'options'): Group[] {
  if (order !== 'options' || !choices.length) return groups
  const places = new Map(choices.map(({ value }, at) => [value, at]))
  const placeOf = ({ value }: Group) =>
    value === null ? Infinity : (places.get(value) ?? choices.length)
  return groups.toSorted((a, b) => {
    const [one, other] = [placeOf(a), placeOf(b)]
    return one === other ? 0 : one - other
  })
}

function labelled<G extends Pick<Group, 'value' | 'label' | 'color'>>(
  group: G,
  choices: Choice[],
): G {
  const { value } = group
  const folded = value?.toLowerCase()
  const choice =
    choices.find((each) => each.value === value) ??
    choices.find((each) => String(each.value).toLowerCase() === folded)
  if (!choice) return { ...group, label: group.label ?? value }
  const { value: chosen, label } = choice
  return { ...group, value: String(chosen), label, color: choice.color ?? group.color }
}
