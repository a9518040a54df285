import { notBelowDeleted } from '../../kit/record/restored-alone.ts'
import { readerId, rowsOf } from '../../kit/record/readable.ts'
import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
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
import {
  boolean,
  computed,
  computedAlways,
  customFields,
  date,
  defaulted,
  folded,
  integer,
  internal,
  key,
  looks,
  notCopied,
  object,
  objectOf,
  oneOf,
  optional,
  rank,
  readAs,
  readOnly,
  readOnlyOrNull,
  reference,
  required,
  setElsewhere,
  sortedAs,
  tagList,
  tagged,
  text,
  timestamp,
  titled,
  unshown,
  worded,
} from '../../kit/record/fields.ts'

const itemTypes = ['task', 'subtask', 'form', 'approval'].map((label, i) => ({
  value: i + 1,
  label,
}))

const here = 'organization_id = $organization'
const recurrence = {
  ...objectOf(recurrenceSchema.properties),
  // its other members are stored as in the body
  schema: recurrenceSchema as unknown as JSONSchema,
}

const series = sql`t.is_recurring and t.recurrence_status = 'active'`

/** A piece of work, in a milestone of a project or free (specification 2.3). */
export const Task = record(
  {
    module: 'tasks',
    number: 1,
    word: 'task',
    title: 'title',
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
    id: readOnly(text(25)),
    item_id: key(),
    task_id: unshown(computedAlways(text(25), 't.id')),
    display_id: notCopied(optional(text(100))),
    title: required(folded(text(255), 'title_key')),
    description: optional(text()),
    item_type: worded(defaulted(integer({ minimum: 1, maximum: 4 }), 1), () => itemTypes),
    account_id: optional(
      reference({
        table: 'accounts',
        shows: null,
        to: (): AnyRecord => Account,
        by: { account_id: { column: 'id' }, id: { column: 'id' } },
      }),
    ),
    project_id: optional(
      reference({
        table: 'projects',
        shows: null,
        to: (): AnyRecord => ProjectOrDeal,
        by: { project_id: { column: 'id' }, id: { column: 'id' } },
      }),
    ),
    project_name: computed(
      text(255),
      `(select p.project_name from ${rowsOf('projects')} p where p.${here} and p.id = t.project_id)`,
    ),
    milestone_id: optional(
      reference({
        table: 'milestones',
        shows: null,
        to: (): AnyRecord => Milestone,
        by: { milestone_id: { column: 'id' }, id: { column: 'id' } },
      }),
    ),
    milestone_name: computed(
      text(255),
      `(select m.name from ${rowsOf('milestones')} m where m.${here} and m.id = t.milestone_id)`,
    ),
    parent_id: optional(
      reference({
        table: 'tasks',
        shows: null,
        to: (): AnyRecord => Task,
        by: { item_id: { column: 'id' }, id: { column: 'id' } },
      }),
    ),
    status: readOnlyOrNull(status('tasks')),
    is_completed: readOnly(boolean()),
    completed_at: readOnlyOrNull(timestamp()),
    priority: priorityShown,
    owner: looks('owner', optional(person())),
    users: usersShown,
    tags: tagged(readAs(optional(tagList()), tagList(), `coalesce(t.tags, '[]')`)),
    start_date: optional(date()),
    due_date: looks('due', optional(date())),
    is_pinned: defaulted(boolean(), false),
    is_private: defaulted(boolean(), false),
    is_shared: defaulted(boolean(), false),
    visibility: defaulted(text(60), 'shared'),
    is_starred: notCopied(defaulted(boolean(), false)),
    is_predefined: setElsewhere(readOnly(boolean()), 'is set for shipped tasks', false),
    is_risk: internal(notCopied(defaulted(boolean(), false))),
    is_blocked: readAs(
      notCopied(defaulted(boolean(), false)),
      boolean(),
      `(t.is_blocked or exists (select from task_dependencies d
        join ${rowsOf('tasks')} p on p.organization_id = $organization and p.id = d.predecessor_id
        where d.${here} and d.task_id = t.id and not p.is_completed and p.deleted_at is null))`,
    ),
    attachments: attachmentsShown,
    time_track_id: unshown(
      computed(
        text(25),
        `(select w.id from timers w where w.${here} and w.task_id = t.id
        and w.user_id = ${readerId()})`,
      ),
    ),
    is_timer_running: computedAlways(
      boolean(),
      `exists (select from timers w where w.${here} and w.task_id = t.id
        and w.user_id = ${readerId()})`,
    ),
    total_elapsed_time: looks('duration', readOnly(integer())),
    estimate_minutes: internal(optional(integer({ minimum: 0, maximum: 6_000_000 }))),
    sub_items: subItemsShown,
    position: unshown(sortedAs(defaulted(integer(), 0), 'rank')),
    rank: rank(),
    is_recurring: setElsewhere(readOnly(boolean()), 'follows from recurrence_pattern', false),
    is_recurring_child: computedAlways(boolean(), 't.parent_recurring_id is not null'),
    parent_recurring_id: unshown(setElsewhere(readOnlyOrNull(text(25)), 'follows from the series')),
    recurrence_pattern: readOnlyOrNull(recurrence),
    recurrence_status: readOnlyOrNull(titled('RecurrenceStatus', oneOf(...recurrenceStatuses))),
    form_id: optional(
      reference({
        table: 'surveys',
        shows: null,
        to: (): AnyRecord => Survey,
        by: { survey_id: { column: 'id' }, id: { column: 'id' } },
      }),
    ),
    form_structure: optional(object()),
    form_responses: notCopied(optional(object())),
    // the meeting from which this task originated, which only applies to this task
    meeting_summary_id: notCopied(
      optional(
        reference({
          table: 'meeting_insights',
          shows: null,
          to: (): AnyRecord => MeetingInsight,
          by: { meeting_insight_id: { column: 'id' }, id: { column: 'id' } },
        }),
      ),
    ),
    calendar_id: notCopied(
      optional(
        reference({
          table: 'meetings',
          shows: null,
          to: (): AnyRecord => Meeting,
          by: { calendar_id: { column: 'id' }, id: { column: 'id' } },
        }),
      ),
    ),
    // ids of this task in other systems, which do not apply to a copy
    external_map: unshown(notCopied(optional(object()))),
    custom_fields: customFields(),
    created_by: createdBy(),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
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
