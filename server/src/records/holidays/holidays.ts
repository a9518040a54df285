import Holidays from 'date-holidays'
import type { Context } from '../../kit/ground/context.ts'
import { crud, pageQuery } from '../../kit/crud.ts'
import { badField } from '../../kit/ground/errors.ts'
import { suppliedId } from '../../kit/ground/ids.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import {
  defaulted,
  key,
  list,
  optional,
  readOnly,
  record,
  text,
  timestamp,
  unlisted,
} from '../../kit/record/record.ts'
import { insert, restore, update, written } from '../../kit/write/write.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

const holiday: JSONSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '\\S', maxLength: 255 },
    date: { type: 'string', format: 'date' },
    is_repeat_annually: { type: 'boolean' },
  },
  required: ['name', 'date'],
}

/** Days on which nobody works (specification 2.3). */
export const HolidaySet = record(
  {
    module: 'holidays',
    table: 'holiday_sets',
    word: 'holiday_set',
    title: 'country',
    links: [{ table: 'projects', column: 'holidays_id' }],
  },
  {
    holidays_id: key(),
    country: optional(text(100)),
    state: optional(text(100)),
    holidays: defaulted(unlisted(list(holiday)), []),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)

const plain = crud(HolidaySet)

export const holidays = {
  ...plain,
  list: {
    ...plain.list,
    input: { query: pageQuery(true) },
    run(ctx: Context, { query }: Input) {
      // ids may be the callers' own and say nothing of the order
      const isSorted = query.sort || query.filter_id
      const order = isSorted ? {} : { sort: 'creation_time', reverse: !query.reverse }
      return listPage(ctx, HolidaySet, { ...query, ...order })
    },
  } satisfies Operation,
  create: {
    ...plain.create,
    input: { body: withProperties(plain.create.input.body!, { holidays_id: suppliedId }) },
    async run(ctx: Context, { body }: Input) {
      const { holidays_id: id, ...given } = body
      const made = await insert(ctx, HolidaySet, withDefaults(given), id ? { id } : {})
      ctx.forget()
      return written(made)
    },
  } satisfies Operation,
  update: {
    ...plain.update,
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      ctx.forget()
      return written(await update(ctx, HolidaySet, params.id, withDefaults(body), { ifMatch }))
    },
  } satisfies Operation,
  restore: {
    ...plain.restore,
    async run(ctx: Context, { params }: Input) {
      ctx.forget()
      return written(await restore(ctx, HolidaySet, params.id))
    },
  } satisfies Operation,
  import: {
    name: 'import_holidays',
    summary: 'The public holidays of a country and year, kept with `save=true`',
    can: { module: 'holidays', action: 'create' },
    // kept like any other record where it is asked for
    writes: true,
    input: {
      query: {
        type: 'object',
        properties: {
          country: { type: 'string', maxLength: 10, description: 'ISO 3166-1, such as FR' },
          state: { type: 'string', maxLength: 10, description: 'ISO 3166-2 without the country' },
          year: { type: 'integer', minimum: 1970, maximum: 2100, description: 'this year' },
          save: { type: 'boolean' },
        },
        required: ['country'],
      },
    },
    output: {
      title: 'HolidayImport',
      type: 'object',
      properties: {
        holidays_id: { type: ['string', 'null'], description: 'of the set, where it was kept' },
        country: { type: 'string' },
        state: { type: ['string', 'null'] },
        year: { type: 'integer' },
        holidays: { type: 'array', items: holiday },
      },
      required: ['holidays_id', 'country', 'state', 'year', 'holidays'],
    },
    async run(ctx: Context, { query }: Input) {
      const { country, state = null, year, days } = publicHolidays(ctx, query)
      const body = { country, state, holidays: days }
      const kept = query.save ? await insert(ctx, HolidaySet, body) : undefined
      if (kept) ctx.forget()
      return { holidays_id: kept?.id ?? null, country, state, year, holidays: days }
    },
  } satisfies Operation,
}

function publicHolidays(ctx: Context, query: { country: string; state?: string; year?: number }) {
  const known = new Holidays()
  const country = query.country.trim().toUpperCase()
  const countries = known.getCountries()
  if (!Object.hasOwn(countries, country)) {
    throw badField('country', `must be one of ${Object.keys(countries).join(', ')}`)
  }
  const states = known.getStates(country) ?? {}
  const state = query.state?.trim().toUpperCase() || undefined
  if (state && !Object.hasOwn(states, state)) {
    const words = Object.keys(states).join(', ')
    throw badField('state', words ? `must be one of ${words}` : `${country} has no states`)
  }
  const year = query.year ?? ctx.now().getUTCFullYear()
  const found = (state ? new Holidays(country, state) : new Holidays(country)).getHolidays(year)
  const days = found
    .filter(({ type }) => type === 'public')
    .map(({ name, date }) => ({ name, date: date.slice(0, 10), is_repeat_annually: false }))
  return { country, state, year, days }
}

function withDefaults(body: { holidays?: object[]; [field: string]: unknown }) {
  if (!body.holidays) return body
  const filled = body.holidays.map((each) => ({ is_repeat_annually: false, ...each }))
  return { ...body, holidays: filled }
}

function withProperties(schema: JSONSchema, more: { [name: string]: JSONSchema }): JSONSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...more } }
}
