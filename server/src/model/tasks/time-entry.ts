import type { Context, Query } from '../../kit/ground/context.ts'
import type { Action } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { notBelowDeleted } from '../merging/restored-alone.ts'
import { rowsOf } from '../../kit/record/readable.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { rights } from '../../kit/record/scope.ts'
import { createdBy, person } from '../people/person.ts'
import { Task } from './task.ts'
import { boolean, date, integer, key, reference, stamp, text } from '../../kit/record/fields.ts'

const here = 'organization_id = $organization'
const ofTask = (what: string) =>
  `(select ${what} from ${rowsOf('tasks')} k where k.${here} and k.id = t.task_id)`

/** The longest entry, in seconds: a timer that was forgotten is stopped after a month. */
export const longestEntry = 31 * 86_400

/**
 * Time that a person spent on a task on a day. Whoever reads the task reads its entries, but for customers, partners
 * and observers; each person changes their own, and others' who may change the task.
 */
export const TimeEntry = record(
  {
    module: 'time_entries',
    word: 'time_entry',
    title: 'note',
    rights: {
      follows: ['tasks'],
      owners: ['user_id'],
      decide,
    },
    life: {
      weak: ['task_id'],
      restoredAlone: (ctx) => notBelowDeleted(ctx, { task_id: 'tasks' }),
      // what somebody did stays theirs
      handOver: null,
    },
  },
  {
    time_entry_id: key(),
    task_id: reference(
      {
        table: 'tasks',
        shows: null,
        to: (): AnyRecord => Task,
        by: { task_id: { column: 'id' }, item_id: { column: 'id' }, id: { column: 'id' } },
      },
      { required: true },
    ),
    task_title: text(255, { nullable: true, expression: ofTask('k.title') }),
    project_id: text(25, { nullable: true, expression: ofTask('k.project_id') }),
    project_name: text(255, {
      nullable: true,
      expression: ofTask(`(select p.project_name from ${rowsOf('projects')} p
        where p.${here} and p.id = k.project_id)`),
    }),
    user: person({
      column: 'user_id',
      readOnly: true,
      refusal: 'is set on create and cannot be changed',
    }),
    date: date({ required: true }),
    seconds: integer({
      required: true,
      schema: { minimum: 1, maximum: longestEntry },
      look: 'duration',
    }),
    note: text(2000),
    is_billable: boolean({ default: true }),
    created_by: createdBy(),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

function decide(ctx: Context, action: Action): Query {
  if (ctx.actor.is_confined) return sql`false`
  const ofTasks = (may: Action) => sql`t.task_id in (select t.id from tasks t
    where ${all(mine(ctx), sql`t.deleted_at is null`, rights(ctx, Task, may))})`
  if (action === 'read') return ofTasks('read')
  return sql`(${ofTasks('read')} and (t.user_id = ${ctx.actor.user_id} or ${ofTasks('update')}))`
}
