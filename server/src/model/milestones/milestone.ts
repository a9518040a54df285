import { notBelowDeleted } from '../merging/restored-alone.ts'
import { rowsOf } from '../../kit/record/readable.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { mayAll } from '../../kit/record/scope.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { ProjectOrDeal } from '../projects/project.ts'
import { containerRights, seesAllProjects } from '../attached/project-rights.ts'
import { completedSample, status, statusBefore } from '../statuses/status.ts'
import { person } from '../people/person.ts'
import { tasksShown } from './tasks.ts'
import {
  boolean,
  date,
  integer,
  key,
  oneOf,
  rank,
  reference,
  stamp,
  text,
  timestamp,
} from '../../kit/record/fields.ts'

const itsTasks = `k.organization_id = $organization and k.milestone_id = t.id and k.deleted_at is null`

/** A step of a project or deal. Whoever may see or change the project may see or change it. */
export const Milestone = record(
  {
    module: 'milestones',
    number: 10,
    word: 'milestone',
    title: 'name',
    aliases: { title: 'name', milestone_name: 'name' },
    rights: {
      follows: ['projects', 'deals'],
      seesAll: seesAllProjects,
      decide(ctx, action) {
        const { actor } = ctx
        const may = action === 'read' ? 'read' : 'update'
        const of = all(mine(ctx), containerRights.rights.decide(ctx, may))
        // if it was deleted with its project, it is still announced to those who could see it
        const alive = sql`not exists (select from projects p
          where p.organization_id = $organization and p.id = t.project_id
            and p.deleted_at is not null and t.deleted_at is null)`
        const hidden = mayAll(actor, 'roles', 'update')
          ? undefined
          : sql`(not t.is_private or t.owner = ${actor.user_id} or t.created_by = ${actor.user_id})`
        const shared = actor.is_external
          ? sql`((t.is_shared and not t.is_private) or t.owner = ${actor.user_id}
              or t.created_by = ${actor.user_id})`
          : undefined
        const inside = sql`t.project_id in (select t.id from projects t where ${of})`
        return all(inside, alive, hidden, shared)
      },
    },
    life: {
      restoredAlone: (ctx) => notBelowDeleted(ctx, { project_id: 'projects' }),
    },
    find: {
      searchable: true,
    },
    apps: {
      scopedAs: ['project', 'deal'],
    },
    events: {
      kinds: {
        milestone_created: { on: 'created', summary: 'A milestone was created' },
        milestone_updated: { on: 'updated', summary: 'Fields of a milestone changed' },
        milestone_completed: {
          summary: 'A milestone was completed',
          after: { 'status.category': 'completed' },
          sample: completedSample,
          changes: { status: statusBefore },
        },
        milestone_deleted: { on: 'deleted', summary: 'A milestone was deleted' },
      },
      assignees: ['owner'],
    },
  },
  {
    milestone_id: key(),
    project_id: reference(
      {
        table: 'projects',
        shows: null,
        to: (): AnyRecord => ProjectOrDeal,
        by: { project_id: { column: 'id' }, id: { column: 'id' } },
      },
      { required: true },
    ),
    name: text(255, { required: true }),
    kind: oneOf(['go_live'], { title: 'MilestoneKind' }),
    description: text(),
    status: status('milestones'),
    owner: person({ look: 'owner' }),
    start_date: date(),
    due_date: date({ look: 'due' }),
    completed_at: timestamp({ readOnly: true, nullable: true }),
    position: integer({ default: 0, sortedAs: 'rank' }),
    rank: rank(),
    is_private: boolean({ default: false }),
    is_shared: boolean({ default: false }),
    tasks_count: integer({
      description: 'The number of its tasks that the caller may read.',
      expression: `(select count(*) from ${rowsOf('tasks')} k where ${itsTasks})`,
    }),
    completed_tasks_count: integer({
      description: 'The number of its completed tasks that the caller may read.',
      expression: `(select count(*) from ${rowsOf('tasks')} k where ${itsTasks} and k.is_completed)`,
    }),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

/**
 * The same as the application surface shows it, with its tasks. Its events have no tasks: not every
 * subscriber may read them.
 */
export const ShownMilestone: AnyRecord = {
  ...Milestone,
  fields: { ...Milestone.fields, tasks: tasksShown },
}
