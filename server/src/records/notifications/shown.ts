import type { Actor, Context } from '../../kit/ground/context.ts'
import { moduleWord } from '../../kit/record/modules.ts'
import { readableRows } from '../../kit/record/readable.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { textOf } from '../../kit/ground/html.ts'
import { subjectsByModule } from '../../model/by-module.ts'
import { Interaction } from '../../model/interactions/interaction.ts'

/** The subject of a notification, as stored in `notification_obj`. */
export type About = {
  module_id?: number | null
  reference_id?: string | null
  interaction_id?: string | null
}

/** What somebody may read of the subject. */
export type Shown = {
  module: string | undefined
  id: string | null
  /** the name of the record; null if the notification is about none */
  title: string | null
  project: { id: string; name: string } | null
  due_date: string | null
  /** when a meeting begins */
  starts_at: string | null
  is_completed: boolean
  /** the text of the comment, and its id */
  comment: { id: string; text: string } | null
}

/**
 * What a user may currently read, by their own rights, of the subject of a notification;
 * undefined if nothing. Every mail about a record checks this before it is written.
 */
export async function shownTo(
  ctx: Context,
  actor: Actor,
  { module_id, reference_id, interaction_id }: About,
): Promise<Shown | undefined> {
  const module = module_id ? moduleWord(module_id) : undefined
  const record = module === undefined ? undefined : subjectsByModule[module]
  if (!record || !reference_id) {
    return {
      module,
      id: null,
      title: null,
      project: null,
      due_date: null,
      starts_at: null,
      is_completed: false,
      comment: null,
    }
  }
  const theirs: Context = { ...ctx, actor }
  const found = await theirs.one<Found>(queryOf(theirs, record, reference_id))
  if (!found) return undefined
  const comment = interaction_id ? await commentOf(theirs, interaction_id) : null
  if (comment === undefined) return undefined
  const { project_id, project_name, ...facts } = found
  const project = project_id && project_name ? { id: project_id, name: project_name } : null
  return { module, id: reference_id, project, comment, ...facts }
}

type Found = Pick<Shown, 'title' | 'due_date' | 'starts_at' | 'is_completed'> & {
  project_id: string | null
  project_name: string | null
}

function queryOf(theirs: Context, record: AnyRecord, id: string) {
  const { table, title, fields } = record
  const column = (name: string) => sql.ref(`t.${fields[name]?.column ?? name}`)
  const has = (name: string) => Object.hasOwn(fields, name)
  const link = ['project_id', 'project'].find(has)
  const project = link
    ? sql`left join ${readableRows(theirs, 'projects')} p on p.organization_id = $organization
        and p.id = ${column(link)}
        and p.id <> t.id and p.deleted_at is null`
    : sql``
  return sql`select ${column(title)}::text as title,
      ${has('due_date') ? column('due_date') : sql`null::date`} as due_date,
      ${has('start') ? column('start') : sql`null::timestamptz`} as starts_at,
      ${has('is_completed') ? column('is_completed') : sql`false`} as is_completed,
      ${link ? sql`p.id` : sql`null::text`} as project_id,
      ${link ? sql`p.project_name` : sql`null::text`} as project_name
    from ${sql.table(table)} t ${project}
    where ${scope(theirs, record, 'read')} and t.id = ${id}`
}

/** A comment as text; undefined if it may not be read, or was deleted. */
async function commentOf(theirs: Context, id: string): Promise<Shown['comment'] | undefined> {
  const found = await theirs.one<{ content: string }>(sql`select t.content from interactions t
    where ${scope(theirs, Interaction, 'read')} and t.id = ${id} and not t.is_deleted`)
  return found && { id, text: textOf(found.content).trim().slice(0, 4000) }
}
