import type { Context } from '../../kit/ground/context.ts'
import { dayOfInstant, instantIn } from '../../kit/ground/dates.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { today } from '../../model/time/dates.ts'
import type { History } from '../../model/time/history.ts'
import type { Body, How } from './importable.ts'

/** Fields of rows that say when something was finished or last changed, which bodies cannot set. */
type HistoryField = 'closed_at' | 'completed_at' | 'modified_at'

/** A row without these fields. */
export function withoutHistory<B extends Body>(body: B): Omit<B, HistoryField> {
  const { closed_at: _closed, completed_at: _completed, modified_at: _modified, ...rest } = body
  return rest
}

/** Fields from which it only follows when a record was finished, if nothing says so. */
const follows = new Set(['modified_at', 'created_on'])

/**
 * When the record of a row was finished, by the first of these fields that it has, else the day when it was made: a time, or
 * a day, which means its midnight. What is in the future says when it is expected, and is not taken.
 */
export function historyOf(ctx: Context, body: Body, ...fields: string[]): History {
  const { timezone } = ctx.organization
  const { created_on } = (body.custom_fields ?? {}) as Body
  for (const field of [...fields, 'created_on']) {
    const text = field === 'created_on' ? dayIn(created_on) : body[field]
    if (typeof text !== 'string' || !text) continue
    const at = instantIn(field, /T/.test(text) ? text : `${text}T00:00:00`, timezone)
    if (Date.parse(at) > +ctx.now()) continue
    return { at, said: follows.has(field) ? undefined : at }
  }
  return { at: undefined, said: undefined }
}

/** A day as rows keep that of creation elsewhere; none for a text that is none. */
function dayIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined
}

/** Whether a finished record is no news: it was finished before today, or nobody knows when. */
function isOld(ctx: Context, { at }: History): boolean {
  if (at === undefined) return true
  return (dayOfInstant(at, ctx.organization.timezone) ?? '') < today(ctx)
}

/** The context that writes a record: nobody else hears of a finished one that is no news, unless the import tells. */
export function writerOf(
  ctx: Context,
  { isFinished, history }: { isFinished: boolean; history: History },
  { tellsApps }: How,
): Context {
  return isFinished && !tellsApps && isOld(ctx, history) ? hushed(ctx) : ctx
}

/** The context for writes of which the log has an entry, and nobody else hears. */
function hushed(ctx: Context): Context {
  return {
    ...ctx,
    emit: ({ notify: _notify, data: _data, ...happening }) =>
      ctx.emit({ ...happening, isQuiet: true }),
    emitMany: (happenings) =>
      ctx.emitMany(
        happenings.map(({ notify: _notify, data: _data, ...each }) => ({ ...each, isQuiet: true })),
      ),
  }
}

/** The records of these that the import has already taken for rows: each is taken once. */
export async function takenBy(ctx: Context, import_id: string | null, ids: string[]) {
  if (import_id === null || !ids.length) return []
  const rows = await ctx.all<{ record_id: string }>(sql`select t.record_id from import_records t
    where ${mine(ctx)} and t.import_id = ${import_id} and t.record_id = any(${ids})`)
  return rows.map(({ record_id }) => record_id)
}
