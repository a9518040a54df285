import type { Context } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { boolean, date, text } from '../../../kit/record/fields.ts'
import type { Draft, Patch } from '../../../kit/record/record.ts'
import { scope } from '../../../kit/record/scope.ts'
import { insert, lock, remove, update } from '../../../kit/write/write.ts'
import { HolidaySet } from '../../../model/holidays/holiday-set.ts'
import { holidays } from '../../holidays/operations.ts'
import { cellOf } from '../../../model/sheets/csv.ts'
import { lowered } from '../importable.ts'
import type { Body, SingleImportable } from '../importable.ts'
import { nameWords } from '../../../model/sheets/header.ts'

type Holiday = { name: string; date: string; is_repeat_annually: boolean }

/** A row is a holiday, and the rows of a country and state are a set. */
export const importHolidays: SingleImportable = {
  how: 'single',
  record: HolidaySet,
  schema: {
    type: 'object',
    properties: {
      ...(holidays.update.input.body.properties as object),
      name: { type: 'string', pattern: '\\S', maxLength: 255 },
      date: { type: 'string', format: 'date' },
      is_repeat_annually: { type: ['boolean', 'null'] },
    },
  },
  more: { name: text(255), date: date(), is_repeat_annually: boolean() },
  without: ['holidays'],
  keys: ['name', 'date'],
  prepare: (body) => body,
  names: () => [],
  async find(ctx, body) {
    const found = await ctx.one<{ id: string }>(sql`select t.id from holiday_sets t
      where ${scope(ctx, HolidaySet, 'read')}
        and lower(coalesce(t.country, '')) = ${lowered(body.country) ?? ''}
        and lower(coalesce(t.state, '')) = ${lowered(body.state) ?? ''} order by t.id limit 1`)
    return found?.id
  },
  title: 'name',
  async adds(ctx, id, body) {
    const added = holidayOf(body)
    return !(await holidaysOf(ctx, id)).some((each) => isSame(each, added))
  },
  async create(ctx, body) {
    const { country, state } = body
    ctx.forget()
    const set = { country, state, holidays: [holidayOf(body)] }
    return insert(ctx, HolidaySet, set as Draft<typeof HolidaySet>)
  },
  async update(ctx, id, body) {
    const added = holidayOf(body)
    const stored = await holidaysOf(ctx, id)
    const old = stored.find((each) => isSame(each, added))
    const is_repeat_annually = body.is_repeat_annually ?? old?.is_repeat_annually ?? false
    const changed = { ...added, is_repeat_annually }
    const next = old ? stored.map((each) => (each === old ? changed : each)) : [...stored, changed]
    ctx.forget()
    const isUnchanged = old?.is_repeat_annually === is_repeat_annually
    const patch = isUnchanged ? {} : { holidays: next }
    return update(ctx, await lock(ctx, HolidaySet, id, 'update'), patch as Patch<typeof HolidaySet>)
  },
  remove(ctx, id) {
    ctx.forget()
    return remove(ctx, HolidaySet, id)
  },
  columns: ['name', 'date', 'is_repeat_annually'].map((name) => ({
    name,
    field: 'holidays',
    text: (row) => cellOf(row[name]),
  })),
  headers: {
    name: `holiday|holiday name|feiertag|jour férié|festivo|día festivo|festività|festa|feriado|feestdag|${nameWords}`,
    date: 'date|day|datum|tag|jour|fecha|día|data|giorno|dia|dag',
    country: 'country|land|staat|pays|país|paese|nazione',
    state:
      'state|region|bundesland|kanton|canton|région|provincia|comunidad|regione|estado|provincie|subdivision',
    is_repeat_annually:
      'annual|yearly|repeats annually|recurring|jährlich|annuel|chaque année|anual|annuale|jaarlijks',
  },
}

function isSame(one: Holiday, other: Holiday): boolean {
  return one.date === other.date && lowered(one.name) === lowered(other.name)
}

function holidayOf({ name, date: day, is_repeat_annually }: Body): Holiday {
  if (!lowered(name)) throw badField('name', 'is required')
  if (typeof day !== 'string') throw badField('date', 'is required')
  return { name: String(name), date: day, is_repeat_annually: is_repeat_annually === true }
}

async function holidaysOf(ctx: Context, id: string): Promise<Holiday[]> {
  const found = await ctx.one<{ holidays: Holiday[] }>(sql`select t.holidays from holiday_sets t
    where ${scope(ctx, HolidaySet, 'read')} and t.id = ${id} for update`)
  return found?.holidays ?? []
}

/** The rows of a set in an export: a line a holiday. */
export function holidayLines(set: Body): Body[] {
  const { holidays: days, ...rest } = set
  return ((days ?? []) as Holiday[]).map((each) => ({ ...rest, ...each }))
}
