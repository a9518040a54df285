import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict, forbidden, notFound } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Can, Input } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { byId } from '../../kit/crud.ts'
import { insert, lock } from '../../kit/write/write.ts'
import { Document } from '../../model/documents/document.ts'
import { Task } from '../../model/tasks/task.ts'
import { externalKinds } from '../../model/users/roles/permissions.ts'
import { belongingOf } from '../documents/belonging.ts'
import { deleteDocument, restoreDocument } from '../documents/delete.ts'
import { storeFile, uploadColumns } from '../documents/file.ts'
import { refuseLocked } from '../documents/locked.ts'

// Whoever a task is of hands in files for it, whatever their role may do with documents: a file becomes a document of
// the task, which their colleagues and the team see as they see the task. Only who handed it in takes it back.

const can: Can = { module: 'tasks', action: 'update' }
const topic = 'portal'
const one = Type.Object({
  ...byId.properties,
  file: Type.String({ minLength: 1, maxLength: 25, description: 'the document of the file' }),
})

/** For how long whoever took a file back hands it in again, in milliseconds. */
const undoTime = 10 * 60_000

/** A file of a task, as its page lists it. */
export type TaskFile = { id: string; name: string; is_mine: boolean }

/** The files of a task that the caller may read, the oldest first. */
export async function filesOfTask(ctx: Context, task: string): Promise<TaskFile[]> {
  return ctx.all<TaskFile>(sql`
    select t.id, t.document_name as name, ${isTakenBack(ctx, task)} as is_mine from documents t
    where ${scope(ctx, Document, 'read')} and t.module_id = ${Task.number}
      and t.reference_id = ${task} and t.latest_version and t.storage_key is not null
    order by t.creation_time, t.id limit 100`)
}

/** Those of some tasks for which a customer or partner whom they are of has handed in a file that the caller may read. */
export async function tasksWithOwnFiles(ctx: Context, ids: string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const found = await ctx.all<{ id: string }>(sql`
    select distinct t.reference_id as id from documents t
    join tasks of on of.organization_id = $organization and of.id = t.reference_id
    join users u on u.organization_id = $organization and u.id = t.created_by
    join roles r on r.organization_id = $organization and r.id = u.role_id
      and r.kind = any(${externalKinds})
    where ${scope(ctx, Document, 'read')} and t.module_id = ${Task.number}
      and t.reference_id = any(${ids}::varchar[]) and t.latest_version and t.storage_key is not null
      and (t.created_by = of.owner or of.users ? t.created_by::text)`)
  return new Set(found.map(({ id }) => id))
}

export const handInFile = operation({
  name: 'hand_in_file',
  summary: 'Hand in a file for a task',
  topic,
  can,
  writes: true,
  input: { params: byId },
  output: null,
  async before(ctx: Context, { file }: Pick<Input, 'file'>) {
    if (!file) throw badField('file', 'is required')
    if (!file.size) throw badField('file', 'is empty')
    await refuseLocked(ctx, { file })
    await storeFile(ctx, { file })
  },
  async run(ctx, { params: { id: task }, file }) {
    if (!file) throw badField('file', 'is required')
    const { is_shared, is_private } = await openTask(ctx, task)
    const id = newId()
    const about = { module_id: Task.number, reference_id: task }
    const { project_id, account_id } = await belongingOf(ctx, about)
    await insert(
      ctx,
      Document,
      { document_name: file.name, is_shared: is_shared && !is_private },
      {
        id,
        // whoever hands in has no field to fill in
        allowMissing: true,
        set: {
          chain_id: id,
          document_status: 'draft',
          ...about,
          project_id,
          account_id,
          ...(await uploadColumns(ctx, file)),
        },
      },
    )
  },
})

export const takeFileBack = operation({
  name: 'take_file_back',
  summary: 'Take back a file that was handed in for a task',
  topic,
  can,
  writes: true,
  input: { params: one },
  output: null,
  async run(ctx, { params: { id: task, file } }) {
    await openTask(ctx, task)
    const found = await ctx.one(sql`select t.id from documents t
      where ${scope(ctx, Document, 'read')} and t.id = ${file} and ${isTakenBack(ctx, task)}
      for update of t`)
    if (!found) throw notFound('File')
    await deleteDocument(withDocuments(ctx), file)
  },
})

export const handInFileAgain = operation({
  name: 'hand_in_file_again',
  summary: 'Hand in again a file that was taken back',
  topic,
  can,
  writes: true,
  input: { params: one },
  output: null,
  async run(ctx, { params: { id: task, file } }) {
    await openTask(ctx, task)
    const found = await ctx.one(sql`select t.id from documents t
      where ${mine(ctx)} and t.id = ${file} and ${isTakenBack(ctx, task)}
        and t.deleted_at > ${new Date(+ctx.now() - undoTime).toISOString()}
        and ${ctx.actor.user_id} = (select e.actor_id from events e
          where ${mine(ctx, 'e')} and e.module_id = ${Document.number} and e.reference_id = t.id
            and e.raw_description ->> 'action' = 'deleted'
          order by e.id desc limit 1)`)
    if (!found) throw notFound('File')
    await restoreDocument(withDocuments(ctx), file)
  },
})

/** The task with what is stored of it, locked; refused as by `checkTakesFiles`. */
async function openTask(ctx: Context, id: string) {
  const { whole } = await lock(ctx, Task, id, 'update')
  await checkTakesFiles(ctx, id)
  return whole.row
}

/** Asked before files are received: 403 where a task is not the caller's, 409 for one that is done. */
export async function checkTakesFiles(ctx: Context, id: string): Promise<void> {
  const me = ctx.actor.user_id
  const own = await ctx.one<{ is_completed: boolean }>(sql`select t.is_completed from tasks t
    where ${scope(ctx, Task, 'read')} and t.id = ${id} and (t.owner = ${me} or t.users ? ${me}::text)`)
  if (!own) throw forbidden('Only whoever a task is of hands in files for it')
  if (own.is_completed) throw conflict('This task is done: open it again first')
}

/** Whether the caller takes a document back: one that they handed in for the task, and that nobody worked on since. */
function isTakenBack({ actor }: Context, task: string) {
  return sql`(t.created_by = ${actor.user_id} and t.module_id = ${Task.number}
    and t.reference_id = ${task} and t.chain_id = t.id and t.latest_version
    and t.storage_key is not null and t.document_status = 'draft' and t.signature_status = 'none')`
}

/** The caller with the right to delete their own documents, for a write whose own conditions have been checked. */
function withDocuments(ctx: Context): Context {
  const documents = { ...ctx.actor.permission.documents, delete: 'own' as const }
  return { ...ctx, actor: { ...ctx.actor, permission: { ...ctx.actor.permission, documents } } }
}
