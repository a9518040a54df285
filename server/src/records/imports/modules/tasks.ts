import type { Context } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { rowsOf } from '../../../kit/record/readable.ts'
import { boolean, list, reference, text, timestamp } from '../../../kit/record/fields.ts'
import type { AnyRecord, Row } from '../../../kit/record/record.ts'
import { checkBody } from '../../../kit/record/validate.ts'
import { scope } from '../../../kit/record/scope.ts'
import { knownStatus } from '../../../model/statuses/status.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { announceTaskChanges } from '../../tasks/announce.ts'
import { createTask } from '../../tasks/create.ts'
import type { NewTask } from '../../tasks/body.ts'
import { updateBody } from '../../tasks/body.ts'
import { removeTask } from '../../tasks/remove.ts'
import { Task } from '../../../model/tasks/task.ts'
import { updateTask } from '../../tasks/update.ts'
import { withIds } from '../../../model/people/person.ts'
import { cellOf } from '../../../model/sheets/csv.ts'
import { namedColumn, partColumn } from '../columns.ts'
import type { History } from '../../../model/time/history.ts'
import { fittingTasks } from '../fitting.ts'
import { historyOf, withoutHistory, writerOf } from '../history.ts'
import { lowered } from '../importable.ts'
import type { Body, SingleImportable } from '../importable.ts'
import {
  accountWords,
  completedWords,
  createdWords,
  descriptionWords,
  dueWords,
  modifiedWords,
  nameWords,
  ownerWords,
  privateWords,
  startWords,
  statusWords,
  tagWords,
} from '../../../model/sheets/header.ts'
import { accountByName, personOf, projectByName } from './links.ts'
import { areAnswers, isPersonColumn } from '../words.ts'

const parent_title = text(255, {
  nullable: true,
  expression: `(select p.title from ${rowsOf('tasks')} p
    where p.organization_id = $organization and p.id = t.parent_id)`,
})
const account_name = text(255, {
  nullable: true,
  expression: `(select a.account_name from ${rowsOf('accounts')} a
    where a.organization_id = $organization and a.id = t.account_id)`,
})

/** A parent task, also by its title. */
const parentByTitle = reference({
  table: 'tasks',
  shows: null,
  to: (): AnyRecord => Task,
  by: {
    item_id: { column: 'id' },
    id: { column: 'id' },
    title: {
      column: 'title_key',
      fold: (title: string) => title.trim().toLowerCase(),
      name: 'title',
    },
  },
})

type TaskRow = Row<typeof Task>

export const importTasks: SingleImportable = {
  how: 'single',
  record: Task,
  exported: { ...Task, fields: { ...Task.fields, parent_title, account_name } },
  schema: { ...updateBody, required: [] },
  more: {
    status: text(100),
    is_completed: boolean(),
    priority: text(100),
    users: list(),
    recurrence_pattern: text(500),
    milestone: text(255),
    completed_at: timestamp(),
    modified_at: timestamp(),
  },
  links: { account_id: accountByName, project_id: projectByName, parent_id: parentByTitle },
  insteadOf: { milestone_id: 'milestone' },
  without: ['form_structure', 'form_responses', 'meeting_summary_id', 'calendar_id'],
  keys: [],
  prepare: ({ ...body }) => {
    if (Array.isArray(body.users)) body.users = body.users.map(personOf)
    if (Array.isArray(body.tags)) body.tags = body.tags.map(withoutColor)
    return body
  },
  names: ({ title }) => [lowered(title) ?? []].flat(),
  parent: 'parent_id',
  fitting: fittingTasks,
  async create(ctx, body, how) {
    const { project_id, ...task } = await inPlace(ctx, withoutHistory(body))
    // that of a subtask follows from its parent
    if (project_id && !task.parent_id) task.project_id = project_id
    const { isFinished, history } = await finished(ctx, body)
    if (isFinished && !task.status) task.is_completed = true
    checkBody(updateBody, task)
    const by = writerOf(ctx, { isFinished, history }, how)
    const set = isFinished ? { completed_at: history.at ?? null } : {}
    return createTask(by, task as NewTask, set)
  },
  async update(ctx, id, body, how) {
    const task = await inPlace(ctx, withoutHistory(body))
    const { isFinished, history } = await finished(ctx, body)
    if (isFinished && !task.status) task.is_completed = true
    const by = writerOf(ctx, { isFinished, history }, how)
    return updateTask(by, id, task, undefined, undefined, isFinished ? history : undefined)
  },
  remove: (ctx, id) => removeTask(ctx, id),
  async afterUndo(ctx, written, before) {
    const { status } = JSON.parse(await written.whole()) as TaskRow
    const isMoved = status?.id !== (before as TaskRow).status?.id
    await announceTaskChanges(ctx, before as TaskRow, written, { isMoved })
  },
  columns: [
    namedColumn('project_id.project_name', 'project_name'),
    namedColumn('account_id.account_name', 'account_name'),
    namedColumn('milestone', 'milestone_name'),
    namedColumn('parent_id.title', 'parent_title'),
    partColumn('status', 'status', 'status_name'),
    partColumn('priority', 'priority', 'value'),
    partColumn('recurrence_pattern', 'recurrence_pattern', 'rrule'),
    {
      name: 'users',
      field: 'users',
      text: (row) => cellOf((row.users as { email: string }[]).map(({ email }) => email)),
    },
  ],
  prefixes: [
    'task',
    'issue',
    'aufgabe',
    'tâche',
    'tarea',
    'attività',
    'tarefa',
    'taak',
    'activity',
  ],
  several: { completed_at: 'first', modified_at: 'first', description: 'join' },
  fits: {
    'owner.email': isPersonColumn,
    is_completed: areAnswers,
    completed_at: (values) => values.some((each) => /\d\D+\d|^\d{8,}$/.test(each)),
    // the number of another issue is no title
    'parent_id.title': (values) => !values.every((each) => /^\d+$/.test(each)),
  },
  headers: {
    title: `task name|task|summary|card name|card title|issue summary|item name|task title|zusammenfassung|vorgang|résumé|resumen|riepilogo|resumo|samenvatting|aufgabe|aufgabenname|tâche|nom de la tâche|tarea|nombre de la tarea|attività|compito|nome attività|tarefa|nome da tarefa|taak|taaknaam|to do|todo|action|${nameWords}`,
    description: descriptionWords,
    'project_id.project_name':
      'project|projects|project name|board name|board|tasklist project|projekt|projektname|projet|nom du projet|proyecto|nombre del proyecto|progetto|nome progetto|projeto|nome do projeto|projectnaam|deal|opportunity|geschäft|trato|negocio|affaire',
    'account_id.account_name': `${accountWords}|regarding|company account|organization|organisation`,
    milestone:
      'milestone|milestone name|meilenstein|jalon|hito|pietra miliare|marco|mijlpaal|phase|section',
    'parent_id.title':
      'parent|parent summary|parent name|parent task name|subtask of|parent item|parent task|übergeordnete aufgabe|hauptaufgabe|tâche parente|tarea principal|attività principale|tarefa pai|hoofdtaak',
    status: `${statusWords}|task status|aufgabenstatus|list name|list|column|bucket name`,
    completed_at: `${completedWords}|completed|done|erledigt|abgeschlossen`,
    modified_at: `${modifiedWords}|last activity date|last activity`,
    'custom_fields.created_on': createdWords,
    is_completed:
      'completed|due complete|task complete|done|is completed|complete|erledigt|abgeschlossen|fertig|terminé|terminée|completado|completada|hecho|completato|completata|fatto|concluído|concluída|feito|voltooid|gereed|afgerond',
    priority:
      'priority|priorität|prio|wichtigkeit|priorité|prioridad|priorità|prioridade|prioriteit',
    'owner.email': `task owner|assigned|assign to|${ownerWords}|members`,
    users: 'people|participants|beteiligte|participantes|partecipanti|deelnemers|collaborators',
    start_date: startWords,
    // a lone date of a task is the day on which it is due
    due_date: `${dueWords}|date|datum|fecha|data`,
    is_private: privateWords,
    recurrence_pattern:
      'recurrence|wiederholung|récurrence|recurrencia|ricorrenza|recorrência|herhaling',
    tags: tagWords,
    display_id:
      'issue key|key|task id|card id|item id|number|task number|nummer|aufgabennummer|numéro|número|numero|external id|vorgangsschlüssel|schlüssel|clé de ticket|clé|clave|chiave|chave|sleutel|id|issue id|task key',
  },
}

/** A label of Trello without its color: `Later (red)`; one without a name is its color. */
function withoutColor(tag: unknown): unknown {
  const [, name, color] = typeof tag === 'string' ? (colored.exec(tag) ?? []) : []
  return name || color || tag
}

const colored =
  /^(.*?)\s*\(((?:green|yellow|orange|red|purple|blue|sky|lime|pink|black)(?:_dark|_light)?)\)$/

/** Whether a row says that its task is done, and when: by its own column, else its last change, else the day it was due. */
async function finished(
  ctx: Context,
  body: Body,
): Promise<{ isFinished: boolean; history: History }> {
  const { status, is_completed, completed_at } = body
  const named = status ? await knownStatus(ctx, 'tasks', status) : undefined
  const isFinished =
    named?.category === 'completed' ||
    is_completed === true ||
    (!named && is_completed === undefined && Boolean(completed_at))
  return { isFinished, history: historyOf(ctx, body, 'completed_at', 'modified_at', 'due_date') }
}

/** The task with the ids of its other people, and of the milestone with this name in its project. */
async function inPlace(ctx: Context, { milestone, users, ...task }: Body): Promise<Body> {
  const body: Body = { ...task }
  if (Array.isArray(users)) {
    body.users = await withIds(ctx, users)
  }
  if (typeof milestone !== 'string' || body.milestone_id) return body
  const found = await ctx.one<{ id: string }>(sql`select t.id from milestones t
    where ${mine(ctx)} and ${scope(ctx, Milestone, 'read')} and folded_words(t.name) = folded_words(${milestone}::text)
      and (${body.project_id ?? null}::text is null or t.project_id = ${body.project_id ?? null})
    order by lower(t.name) <> ${lowered(milestone)}, t.id limit 1`)
  if (!found) throw badField('milestone', `no milestone of this project is called ${milestone}`)
  return { ...body, milestone_id: found.id }
}
