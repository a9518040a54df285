import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { enumeration, extend, orNull, schema, without } from '../../kit/ground/json-schema.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer, Json } from '../../kit/ground/operation.ts'
import type { Group, Groups } from '../../kit/read/groups.ts'
import { groupOrders } from '../../kit/read/groups.ts'
import { shownTo } from '../../kit/record/audience.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { capitalized } from '../../kit/record/record.ts'
import type { Choice } from './choices.ts'
import { choicesNamed, groupableFields } from './choices.ts'

const parameters = {
  by: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'the field to group by: one that is `is_groupable`, including custom fields',
  }),
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
      value: schema<string | boolean | null>({
        type: ['string', 'boolean', 'null'],
        description: 'as in conditions; null for records without a value',
      }),
      label: orNull(Type.String()),
      color: orNull(Type.String()),
      count: Type.Integer(),
      sums: Type.Array(sum, { description: 'amounts in each currency by themselves' }),
      records: schema<unknown[]>({ type: 'array', items, maxItems: 50 }),
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
      'Divides the list by a field into at most 100 groups (the largest, if there are more), each with its count, its sums and its first records (`items`, in the order of `sort`). Groups without records are omitted; if records are large, each group has fewer.',
    input: { ...list.input, query: extend(query, parameters) as unknown as JSONSchema },
    output: Type.Object(
      {
        groups: Type.Array(group, { maxItems: 100 }),
        total: Type.Integer({ description: 'the records of all groups, left out ones included' }),
      },
      { title: `${one}Groups`, additionalProperties: false },
    ) as unknown as JSONSchema,
    run: (ctx, input) => grouped(ctx, record, list, input),
  }
}

async function grouped(ctx: Context, whole: AnyRecord, list: Operation, input: Input) {
  const record = shownTo(ctx, whole)
  const { by, order } = input.query as { by: string; order?: string }
  const known = await groupableFields(ctx, record)
  if (!known.includes(by)) throw badField('by', `must be one of ${known.join(', ')}`)
  const choices = await choicesNamed(ctx, record, by)
  const byLabel = order === undefined && !choices.length ? { order: 'label' } : {}
  const answer = (await list.run(ctx, {
    ...input,
    query: { ...input.query, ...byLabel },
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

function labelled(group: Group, choices: Choice[]): Group {
  const { value } = group
  const folded = value?.toLowerCase()
  const choice =
    choices.find((each) => each.value === value) ??
    choices.find((each) => String(each.value).toLowerCase() === folded)
  if (!choice) return { ...group, label: group.label ?? value }
  const { value: chosen, label } = choice
  return { ...group, value: String(chosen), label, color: choice.color ?? group.color }
}
