import { notBelowDeleted } from '../merging/restored-alone.ts'
import { readerId, rowsOf } from '../../kit/record/readable.ts'
import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { mayAll } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { Account } from '../accounts/account.ts'
import { MeetingInsight } from '../calendar/insight.ts'
import { Meeting } from '../calendar/meeting.ts'
import { Milestone } from '../milestones/milestone.ts'
import { attachedLinks, ofAttachedProjectOrAccount } from '../projects/attached.ts'
import { ProjectOrDeal } from '../projects/project.ts'
import { completedSample, status, statusBefore } from '../statuses/status.ts'
import { Survey } from '../surveys/survey.ts'
import { createdBy, person } from '../people/person.ts'
import { sharedAlone } from '../attached/shared.ts'
import { recurrenceSchema, recurrenceStatuses } from '../recurrence/recurrence.ts'
import { attachmentsShown, priorityShown, subItemsShown, usersShown } from './shown.ts'
import { tagged } from '../attached/tagged.ts'
import {
  boolean,
  customFields,
  date,
  integer,
  key,
  object,
  oneOf,
  rank,
  reference,
  stamp,
  tagList,
  text,
  timestamp,
  valueOf,
} from '../../kit/record/fields.ts'

const itemTypes = ['task', 'subtask', 'form', 'approval'].map((label, i) => ({
  value: i + 1,
  label,
}))

const here = 'organization_id = $organization'
const series = sql`t.is_recurring and t.recurrence_status = 'active'`

/** A piece of work, in a milestone of a project or free (specification 2.3). */
export const Task = record(
  {
    module: 'tasks',
    number: 1,
    word: 'task',
    title: 'title',
    page: {
      strip: ['status', 'owner', 'due_date', 'total_elapsed_time', 'priority'],
      rail: [
        'project_id',
        'milestone_id',
        'parent_id',
        'start_date',
        'estimate_minutes',
        'form_id',
        'asks_for_file',
        'tags',
      ],
    },
    aliases: { name: 'title' },
    open: true,
    rights: {
      defaults: {
        customer: ['none', 'all', 'own', 'none'],
        partner: ['none', 'all', 'own', 'none'],
      },
      owners: ['created_by', 'owner'],
      owned: (people) => sql`t.users ?| ${people.filter((id) => id !== null)}::text[]`,
      attached: ofAttachedProjectOrAccount,
      takesPart,
      reach: (ctx) => ({
        columns: ['owner', 'created_by'],
        lists: ['users'],
        shared: 'is_shared',
        links: attachedLinks(ctx),
      }),
      shared: sharedAlone,
      visible,
      // they complete tasks, and change nothing else of them
      confinedMay: ['is_completed', 'status', 'form_responses'],
    },
    life: {
      weak: ['form_id', 'meeting_summary_id', 'calendar_id'],
      links: [{ table: 'tasks', column: 'parent_recurring_id' }],
      loose: [{ column: 'users', to: ['users'], isJson: true }],
      handOver: [
        { column: 'owner', where: sql`not (${series})` },
        { column: 'users', isList: true },
        { kind: 'series', column: 'owner', where: series },
      ],
      restoredAlone: (ctx) =>
        notBelowDeleted(ctx, {
          project_id: 'projects',
          milestone_id: 'milestones',
          parent_id: 'tasks',
        }),
    },
    find: {
      searchAlso: { number: 'display_id' },
      searched: true,
      searchable: true,
      indexedOrders: ['is_completed,due_date'],
      personal: {
        is_timer_running: async (reader, ids) => new Set((await timersOf(reader, ids)).keys()),
        time_track_id: timersOf,
      },
    },
    apps: {
      // a task belongs to a project or a deal: either scope allows the delivery
      scopedAs: ['project', 'deal'],
    },
    events: {
      assignees: ['owner'],
      ofProjects: true,
      loggedIds: ['predecessor_id'],
      kinds: {
        task_created: { on: 'created', summary: 'A task was created' },
        task_updated: { on: 'updated', summary: 'Fields of a task changed' },
        task_assigned: { summary: 'A task was assigned to someone', changes: { owner: null } },
        task_status_changed: {
          summary: 'The status of a task changed',
          changes: { status: statusBefore },
        },
        task_completed: {
          summary: 'A task was completed',
          after: { is_completed: true, 'status.category': 'completed' },
          sample: completedSample,
          changes: { is_completed: false },
        },
        task_overdue: {
          summary: 'The due date of an open task passed',
          after: { is_completed: false },
          changes: {},
        },
        task_deleted: { on: 'deleted', summary: 'A task was deleted' },
      },
    },
  },
  {
    id: text(25, { readOnly: true }),
    item_id: key(),
    task_id: text(25, { isUnshown: true, expression: 't.id' }),
    display_id: text(100, { isNotCopied: true }),
    title: text(255, { required: true, folded: 't.title_key' }),
    description: text(),
    item_type: integer({
      default: 1,
      schema: { minimum: 1, maximum: 4 },
      choices: () => itemTypes,
    }),
    account_id: reference({
      table: 'accounts',
      shows: null,
      to: (): AnyRecord => Account,
      by: { account_id: { column: 'id' }, id: { column: 'id' } },
    }),
    project_id: reference({
      table: 'projects',
      shows: null,
      to: (): AnyRecord => ProjectOrDeal,
      by: { project_id: { column: 'id' }, id: { column: 'id' } },
    }),
    project_name: text(255, {
      nullable: true,
      expression: `(select p.project_name from ${rowsOf('projects')} p where p.${here} and p.id = t.project_id)`,
    }),
    milestone_id: reference({
      table: 'milestones',
      shows: null,
      to: (): AnyRecord => Milestone,
      by: { milestone_id: { column: 'id' }, id: { column: 'id' } },
    }),
    milestone_name: text(255, {
      nullable: true,
      expression: `(select m.name from ${rowsOf('milestones')} m where m.${here} and m.id = t.milestone_id)`,
    }),
    parent_id: reference({
      table: 'tasks',
      shows: null,
      to: (): AnyRecord => Task,
      by: { item_id: { column: 'id' }, id: { column: 'id' } },
    }),
    status: status('tasks'),
    is_completed: boolean({ readOnly: true }),
    completed_at: timestamp({ readOnly: true, nullable: true }),
    priority: priorityShown,
    owner: person({ look: 'owner' }),
    users: usersShown,
    tags: tagList({ ...tagged, read: `coalesce(t.tags, '[]')` }),
    start_date: date(),
    due_date: date({ look: 'due' }),
    is_pinned: boolean({ default: false }),
    is_private: boolean({ default: false }),
    is_shared: boolean({ default: false }),
    visibility: text(60, { isSystem: true, default: 'shared' }),
    is_starred: boolean({ default: false, isNotCopied: true }),
    is_predefined: boolean({
      isSystem: true,
      readOnly: true,
      default: false,
      refusal: 'is set for shipped tasks',
    }),
    is_risk: boolean({ default: false, isNotCopied: true, audience: 'internal' }),
    is_blocked: boolean({
      default: false,
      isNotCopied: true,
      read: `(t.is_blocked or exists (select from task_dependencies d
        join ${rowsOf('tasks')} p on p.organization_id = $organization and p.id = d.predecessor_id
        where d.${here} and d.task_id = t.id and not p.is_completed and p.deleted_at is null))`,
    }),
    attachments: attachmentsShown,
    time_track_id: text(25, {
      nullable: true,
      isUnshown: true,
      expression: `(select w.id from timers w where w.${here} and w.task_id = t.id
        and w.user_id = ${readerId()})`,
    }),
    is_timer_running: boolean({
      isSystem: true,
      expression: `exists (select from timers w where w.${here} and w.task_id = t.id
        and w.user_id = ${readerId()})`,
    }),
    total_elapsed_time: integer({ readOnly: true, look: 'duration' }),
    estimate_minutes: integer({ schema: { minimum: 0, maximum: 6_000_000 }, audience: 'internal' }),
    sub_items: subItemsShown,
    position: integer({ default: 0, sortedAs: 'rank', isUnshown: true }),
    rank: rank(),
    is_recurring: boolean({
      readOnly: true,
      default: false,
      refusal: 'follows from recurrence_pattern',
    }),
    is_recurring_child: boolean({
      isSystem: true,
      expression: 't.parent_recurring_id is not null',
    }),
    parent_recurring_id: text(25, {
      readOnly: true,
      nullable: true,
      isUnshown: true,
      refusal: 'follows from the series',
    }),
    recurrence_pattern: valueOf(recurrenceSchema, { readOnly: true, nullable: true }),
    recurrence_status: oneOf(recurrenceStatuses, {
      readOnly: true,
      nullable: true,
      title: 'RecurrenceStatus',
    }),
    form_id: reference({
      table: 'surveys',
      shows: null,
      to: (): AnyRecord => Survey,
      by: { survey_id: { column: 'id' }, id: { column: 'id' } },
    }),
    asks_for_file: boolean({
      default: false,
      description: 'whether whoever it is of hands in a file, such as an export',
    }),
    form_structure: object(),
    form_responses: object({ isNotCopied: true }),
    // the meeting from which this task originated, which only applies to this task
    meeting_summary_id: reference(
      {
        table: 'meeting_insights',
        shows: null,
        to: (): AnyRecord => MeetingInsight,
        by: { meeting_insight_id: { column: 'id' }, id: { column: 'id' } },
      },
      { isNotCopied: true },
    ),
    calendar_id: reference(
      {
        table: 'meetings',
        shows: null,
        to: (): AnyRecord => Meeting,
        by: { calendar_id: { column: 'id' }, id: { column: 'id' } },
      },
      { isNotCopied: true },
    ),
    // ids of this task in other systems, which do not apply to a copy
    external_map: object({ isNotCopied: true, isUnshown: true }),
    custom_fields: customFields(),
    created_by: createdBy(),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

/** The timers of the reader on these tasks, by task. */
async function timersOf(reader: Context, ids: string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const found = await reader.all<{ id: string; task_id: string }>(sql`
    select t.id, t.task_id from timers t
    where ${mine(reader)} and t.user_id = ${reader.actor.user_id} and t.task_id = any(${ids}::varchar[])`)
  return new Map(found.map(({ id, task_id }) => [task_id, id]))
}

/**
 * Private tasks with what is below them, and those of hidden projects, are for their own people and the
 * administrators.
 */
function visible({ actor }: Context): Query | undefined {
  if (mayAll(actor, 'roles', 'update')) return undefined
  const me = actor.user_id
  return sql`((${takesPart(actor)} or not (t.is_private or t.parent_id is not null and ${isBelowPrivate(actor)}))
    and not exists (select from projects p where p.organization_id = $organization
      and p.id = t.project_id and (p.is_private or not p.visible_to_all)
      and p.created_by is distinct from ${me} and p.project_owner is distinct from ${me}
      and p.project_manager is distinct from ${me}
      and not exists (select from project_members m where m.organization_id = $organization
        and m.project_id = p.id and m.user_id = ${me})))`
}

/**
 * Whether a task is below a private one that the caller takes no part in. Tasks are five levels deep at most, so four
 * look-ups by id suffice: a recursive query took six times as long for a count of 30,000 tasks. Without `offset 0`
 * PostgreSQL reads all tasks of the organization first, for a page of 50 too.
 */
function isBelowPrivate(actor: Actor, task = 't', levels = 4): Query {
  if (!levels) return sql`false`
  const name = `above${levels}`
  const above = sql.raw(name)
  return sql`exists (select from tasks ${above} where ${above}.organization_id = $organization
    and ${above}.id = ${sql.raw(task)}.parent_id
    and (${above}.is_private and (${takesPart(actor, name)}) is not true
      or ${above}.parent_id is not null and ${isBelowPrivate(actor, name, levels - 1)}) offset 0)`
}

function takesPart({ user_id: me }: Actor, task = 't'): Query {
  const t = sql.raw(task)
  return sql`(${t}.owner = ${me} or ${t}.created_by = ${me} or ${t}.users ? ${me}::text)`
}
