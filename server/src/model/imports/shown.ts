import { Type } from 'typebox'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'

/** What may be done with amounts in another currency than the record's. */
export const currencyWays = ['keep', 'convert', 'leave_out'] as const
export type CurrencyWay = (typeof currencyWays)[number]

/** What happens to amounts in one currency: `rate` is that of one unit in the organization's currency. */
export type CurrencyChoice = {
  as: CurrencyWay
  rate?: number | null
  rate_date?: string | null
}

/** What the values of columns become: column → value → the key of what it becomes; null leaves the cell empty. */
export type ValueChoices = { [column: string]: { [value: string]: string | null } }

export const valueChoicesSchema = schema<ValueChoices>({
  type: 'object',
  additionalProperties: {
    type: 'object',
    additionalProperties: { type: ['string', 'null'], maxLength: 255 },
    maxProperties: 500,
  },
  maxProperties: 500,
  description:
    'column → value → what it becomes, one of the `value`s in `value_report[].choices`; null leaves the cell ' +
    'empty. A choice is remembered for the next file',
})

export const newOptionsSchema = schema<{ [column: string]: string[] }>({
  type: 'object',
  additionalProperties: {
    type: 'array',
    maxItems: 500,
    items: { type: 'string', minLength: 1, maxLength: 255 },
  },
  maxProperties: 500,
  description: 'column → values that become new options of its field, where `may_add` is true',
})

const currencyChoice = Type.Object(
  {
    as: enumeration(currencyWays, { title: 'CurrencyWay' }),
    rate: Type.Optional(
      orNull(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 1e9,
          description: "what one unit is in the organization's currency; required to convert",
        }),
      ),
    ),
    rate_date: Type.Optional(
      orNull(
        Type.String({ format: 'date', description: 'the day of the rate, kept with the import' }),
      ),
    ),
  },
  { title: 'CurrencyChoice', additionalProperties: false },
)

export const currencyChoicesSchema = schema<{ [currency: string]: CurrencyChoice }>({
  type: 'object',
  additionalProperties: currencyChoice,
  maxProperties: 200,
  description:
    'currency → what happens to its amounts: `keep` keeps them as they are, in that currency; `convert` ' +
    'multiplies them by `rate`; `leave_out` leaves them empty. Without a choice deals, projects and accounts keep ' +
    'them, and others leave them out and report them',
})

export const answersSchema = schema<{ [line: string]: string }>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 25 },
  maxProperties: 1000,
  description:
    'line → which record its row is: an id of `questions[].candidates`, `new` for another record, or `skip`',
})

const choice = Type.Object({
  value: Type.String({ description: 'for `values`' }),
  label: Type.String(),
})

/** A column whose cells are one of several values, and what each of them becomes. */
export const valueMembers = {
  column: Type.String(),
  field: Type.String(),
  may_add: Type.Boolean({ description: 'other values can become new options: `new_options`' }),
  more: Type.Integer({ description: 'the number of values that are not listed' }),
  choices: Type.Array(choice, { description: 'empty for people: any user is a choice' }),
  values: Type.Array(
    Type.Object({
      value: Type.String(),
      count: Type.Integer({ description: 'the number of cells, of all rows' }),
      becomes: orNull(
        Type.String({ description: 'the value of a choice; null if the cell is left empty' }),
      ),
      label: orNull(Type.String({ description: 'what it becomes, in words' })),
      suggestion: orNull(
        Type.String({ description: 'a choice that seems right, but is not taken by itself' }),
      ),
      suggestion_label: orNull(Type.String()),
      needs_choice: Type.Boolean({
        description: 'nobody has said what it becomes: its cells, or its rows, are reported',
      }),
      is_remembered: Type.Boolean({ description: 'it was chosen for an earlier file' }),
      is_new: Type.Boolean({ description: 'it becomes a new option' }),
    }),
  ),
}

/** The amounts of a file in one currency that is not the organization's. */
export const currencyMembers = {
  currency: Type.String(),
  amounts: Type.Integer({ description: 'the number of amounts, of all rows' }),
  columns: Type.Array(Type.String()),
  as: enumeration(currencyWays, { title: 'CurrencyWay', description: 'what happens to them' }),
  rate: orNull(Type.Number()),
  rate_date: orNull(Type.String()),
  needs_choice: Type.Boolean({ description: 'nobody has said what happens to them' }),
  choices: Type.Array(
    Type.Object({
      as: enumeration(currencyWays, { title: 'CurrencyWay' }),
      label: Type.String(),
    }),
  ),
  suggestion: enumeration(currencyWays, { title: 'CurrencyWay' }),
}

/** A row that is about an existing record: a sample. */
export const matchMembers = {
  line: Type.Integer(),
  is: enumeration(['updates', 'skips', 'same', 'possible_duplicate'], {
    title: 'ImportMatchKind',
    description:
      'the row changes the record, is skipped because of it, says what it says, or makes another one that may be the same',
  }),
  record_id: Type.String(),
  text: Type.String({ description: 'such as `Renewal, Acme, 2027-01-01`' }),
}

/** A row that several records fit, which is not imported without an answer in `answers`. */
export const questionMembers = {
  line: Type.Integer(),
  text: Type.String(),
  candidates: Type.Array(
    Type.Object({ record_id: Type.String(), text: Type.String({ description: 'the record' }) }),
  ),
}

/** Why rows of the checked ones cannot be imported. */
export const refusedMembers = {
  reason: Type.String(),
  field: orNull(Type.String()),
  column: orNull(Type.String()),
  rows: Type.Integer({ description: 'of the checked rows' }),
  lines: Type.Array(Type.Integer(), { description: 'the first of them' }),
}
