import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { addDays, daysBetween } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/read/one.ts'
import { forReader } from '../../kit/record/readable.ts'
import { byId } from '../../kit/crud.ts'
import { Account } from '../../model/accounts/account.ts'
import { today as dayNow } from '../../model/time/dates.ts'
import type { InputName } from '../../model/health/inputs.ts'
import { health, inputNames } from '../../model/health/inputs.ts'
import { bands, healthBand, healthInput, inputName } from '../../model/health/schema.ts'
import { readableInputs } from './stored.ts'
import { refuseCustomers } from './weights.ts'

const day = (description: string) =>
  Type.Optional(schema<string>({ type: 'string', format: 'date', description }))

const point = Type.Object(
  { date: Type.String({ format: 'date' }), score: Type.Integer() },
  { title: 'HealthPoint' },
)
const state = Type.Object({
  value: orNull(Type.Number()),
  weight: Type.Integer(),
  points: Type.Integer(),
})
const change = Type.Object(
  {
    input: inputName,
    change: Type.Integer({ description: 'by how many points the score changed' }),
    from: state,
    to: state,
  },
  { title: 'HealthChange' },
)
const report = Type.Object(
  {
    account_id: Type.String(),
    score: Type.Integer({ description: 'from 0 to 100' }),
    band: healthBand,
    is_set: Type.Boolean({ description: 'whether the score was set by hand' }),
    reasons: Type.Array(Type.String()),
    inputs: Type.Array(healthInput),
    history: Type.Array(point, { description: 'a score a day, oldest first; today is as of now' }),
    trend: enumeration(['rising', 'falling', 'steady', 'unknown'], { title: 'HealthTrend' }),
    against: orNull(point),
    change: orNull(Type.Integer({ description: 'of the score since the day of `against`' })),
    changes: Type.Array(change, {
      description: 'the inputs that changed since then, what lowered the score most first',
    }),
  },
  { title: 'AccountHealth' },
)

type Stored = { [name in InputName]?: Static<typeof state> }
type Day = { date: string; score: number; is_set: boolean; inputs: Stored }
type Now = {
  score: number
  is_set: boolean
  reasons: string[]
  inputs: Static<typeof healthInput>[]
  stored: Stored
}

/** The longest history; two years of days are 40 KiB. */
const mostDays = 731

/** An account's health, its history, and why it changed. */
export const accountHealth = operation({
  name: 'read_account_health',
  summary: 'Retrieve the health of an account',
  description:
    'The score with its inputs, the scores of the days before, and what changed since a day: ' +
    '90 days of history, against 30 days before its end. A day without a stored score has that of the day before.',
  can: { module: 'accounts', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: {
    params: byId,
    query: Type.Object({
      from: day('the first day of the history (89 days before the last)'),
      to: day('the last day of the history (today)'),
      against: day('the day that the last one is compared with (30 days before it)'),
    }),
  },
  output: report,
  async run(ctx, { params: { id }, query }) {
    await checkReadable(ctx, Account, id)
    refuseCustomers(ctx)
    const today = dayNow(ctx)
    const { to = today, from = addDays(to, -89), against = addDays(to, -30) } = query
    checkDays({ from, to, against, today })
    const [now, days] = await Promise.all([readNow(ctx, id), readDays(ctx, id, from, against, to)])
    const shownDays = days.map((each) => shown(ctx, each))
    if (to === today) {
      if (shownDays.at(-1)?.date === today) shownDays.pop()
      shownDays.push({ ...now, date: today, inputs: now.stored })
    }
    const { score, is_set, reasons, inputs: its } = now
    const history = shownDays.filter(({ date }) => date >= from)
    const before = shownDays.findLast(({ date }) => date <= against)
    const last = shownDays.at(-1)
    return {
      account_id: id,
      score,
      band: bandOf(score),
      is_set,
      reasons,
      inputs: its,
      history: history.map(pointOf),
      trend: trendOf(history),
      against: before ? pointOf(before) : null,
      change: before && last ? last.score - before.score : null,
      changes: before && last ? changesBetween(before, last) : [],
    }
  },
})

function checkDays({ from, to, against, today }: { [day: string]: string } & DayNames) {
  if (to > today) throw badField('to', 'must not be in the future')
  if (from > to) throw badField('from', 'must not be after to')
  if (daysBetween(from, to) >= mostDays) throw badField('from', 'must be within two years of to')
  if (against > to) throw badField('against', 'must not be after to')
}
type DayNames = { from: string; to: string; against: string; today: string }

async function readNow(ctx: Context, id: string): Promise<Now> {
  const found = await ctx.one<Now>(sql`
    select coalesce(t.health_score, h.score) as score, t.health_score is not null as is_set,
      h.reasons, h.inputs, h.stored
    from accounts t cross join lateral (${forReader(ctx, health)} offset 0) h
    where ${mine(ctx)} and t.id = ${id}`)
  if (!found) throw new Error('the account is gone')
  return found
}

/** The stored days of a period, and the last one on or before the day compared with. */
function readDays(ctx: Context, id: string, from: string, against: string, to: string) {
  const columns = sql`to_char(t.day, 'YYYY-MM-DD') as date, t.score, t.is_set, t.inputs`
  const its = sql`${mine(ctx)} and t.account_id = ${id}`
  return ctx.all<Day>(sql`
    select ${columns} from account_health_days t
    where ${its} and (t.day between ${from} and ${to} or t.day = (
      select max(t.day) from account_health_days t where ${its} and t.day <= ${against}))
    order by t.day`)
}

/** A stored day without the inputs of modules of which the caller does not see all records. */
function shown(ctx: Context, stored: Day): Day {
  const readable = readableInputs(ctx)
  if (readable.length === inputNames.length) return stored
  const its: Stored = {}
  for (const name of readable) its[name] = stored.inputs[name]
  const points = readable.reduce((sum, name) => sum + (its[name]?.points ?? 0), 0)
  return { ...stored, score: stored.is_set ? stored.score : Math.max(0, 100 - points), inputs: its }
}

function changesBetween(before: Day, after: Day) {
  const none = { value: null, weight: 0, points: 0 }
  return inputNames
    .filter((name) => before.inputs[name] ?? after.inputs[name])
    .map((name) => {
      const [from, to] = [before.inputs[name] ?? none, after.inputs[name] ?? none]
      return { input: name, change: from.points - to.points, from, to }
    })
    .filter(({ change: by, from, to }) => by !== 0 || from.value !== to.value)
    .toSorted((a, b) => a.change - b.change)
}

function pointOf({ date, score }: Day): Static<typeof point> {
  return { date, score }
}

/** The trend of the scores of a period: from the mean of its first half to that of its second. */
function trendOf(days: Day[]): 'rising' | 'falling' | 'steady' | 'unknown' {
  if (days.length < 2) return 'unknown'
  const middle = Math.floor(days.length / 2)
  const mean = (some: Day[]) => some.reduce((sum, { score }) => sum + score, 0) / some.length
  const by = mean(days.slice(middle)) - mean(days.slice(0, middle))
  return Math.abs(by) < 1 ? 'steady' : by > 0 ? 'rising' : 'falling'
}

function bandOf(score: number) {
  return bands.find(({ minimum }) => score >= minimum)?.band ?? 'critical'
}
