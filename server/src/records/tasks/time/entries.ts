import type { Static } from 'typebox'
import { Type } from 'typebox'
import { crud } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, forbidden } from '../../../kit/ground/errors.ts'
import { extend } from '../../../kit/ground/json-schema.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { idsIn } from '../../../kit/read/named-values.ts'
import type { Patch, Row } from '../../../kit/record/record.ts'
import { scope } from '../../../kit/record/scope.ts'
import type { Written } from '../../../kit/write/write.ts'
import { insert, lock, remove, restore, update } from '../../../kit/write/write.ts'
import { presentPeople, waysToName } from '../../../model/people/people.ts'
import { person } from '../../../model/people/person.ts'
import { Task } from '../../../model/tasks/task.ts'
import { TimeEntry } from '../../../model/tasks/time-entry.ts'
import { today } from '../../../model/time/dates.ts'
import { sumTime } from './totals.ts'

type EntryRow = Row<typeof TimeEntry>

/** A new entry: the caller's, of today, where the body does not say whose and when. */
export const createBody = extend(crud(TimeEntry).create.input.body, {
  date: Type.Optional(Type.String({ format: 'date', description: 'today if absent' })),
  user: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 320,
      description: `who spent it, by ${waysToName}; the caller if absent`,
    }),
  ),
})

/** Adds time to a task: the caller's own, or another's where the caller may change the task (403). */
export async function addEntry(
  ctx: Context,
  { user, date = today(ctx), ...body }: Static<typeof createBody>,
): Promise<Written> {
  if (ctx.actor.is_confined) throw forbidden('Your role may not track time on tasks')
  const user_id = user === undefined ? ctx.actor.user_id : await personNamed(ctx, user)
  const written = await insert(ctx, TimeEntry, { ...body, date }, { set: { user_id } })
  const { task_id } = await rowOf(written)
  if (user_id !== ctx.actor.user_id) await checkMayBook(ctx, task_id)
  await sumTime(ctx, [task_id])
  return written
}

/** Changes an entry; with another task its time goes there. */
export async function changeEntry(
  ctx: Context,
  id: string,
  body: Patch<typeof TimeEntry>,
  ifMatch?: number[],
): Promise<Written> {
  const before = await lock(ctx, TimeEntry, id, 'update', ifMatch)
  const written = await update(ctx, before, body)
  const after = await rowOf(written)
  await sumTime(ctx, [...new Set([before.row.task_id, after.task_id])])
  return written
}

/** Deletes an entry. */
export async function removeEntry(ctx: Context, id: string, ifMatch?: number[]) {
  const { row } = await lock(ctx, TimeEntry, id, 'delete', ifMatch)
  const answer = await remove(ctx, TimeEntry, id)
  await sumTime(ctx, [row.task_id])
  return answer
}

/** Brings a deleted entry back. */
export async function restoreEntry(ctx: Context, id: string): Promise<Written> {
  const written = await restore(ctx, TimeEntry, id)
  const { task_id } = await rowOf(written)
  await sumTime(ctx, [task_id])
  return written
}

async function rowOf(written: Written): Promise<EntryRow> {
  return JSON.parse(await written.whole()) as EntryRow
}

/** The user of the caller's organization whom a word names; 400 for nobody. */
async function personNamed(ctx: Context, word: string): Promise<string> {
  const [id] = await presentPeople(ctx, await idsIn(ctx, person(), word, 'user'))
  if (id === undefined) throw badField('user', 'no such user')
  return id
}

/** 403 unless the caller may change the task: only then it may say what others did. */
async function checkMayBook(ctx: Context, task: string) {
  const found = await ctx.one(sql`select t.id from tasks t
    where ${scope(ctx, Task, 'update')} and ${mine(ctx)} and t.id = ${task}`)
  if (!found) throw forbidden('Your role may not add time of others to this task')
}
