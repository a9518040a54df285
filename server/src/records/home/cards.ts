import type { Context } from '../../kit/ground/context.ts'
import { addDays } from '../../kit/ground/dates.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { Account } from '../../model/accounts/account.ts'
import { Notification } from '../../model/notifications/notification.ts'
import { ShownProject } from '../../model/projects/project.ts'
import { today } from '../../model/time/dates.ts'
import { meetingsUntil } from './day.ts'
import type { Listed } from './part.ts'
import { partOf, whoIs } from './part.ts'
import type { CardName, Part } from './shape.ts'
import { rowOf, whyOf } from './shape.ts'

/** Rows of a card at most. */
const size = 4
/** Scores below this are a risk. */
const lowScore = 60
/** A deal is quiet that nobody changed for so many days. */
const quietDays = 14

type Card = {
  /** whether the caller may have it at all */
  may: (ctx: Context) => boolean
  read: (ctx: Context, people: string[]) => Promise<Part>
}

const reads = (module: string) => (ctx: Context) =>
  !ctx.actor.is_confined && levelOf(ctx.actor, module, 'read') !== 'none'

/** What each card reads, and who may have it. */
export const cards: { [name in CardName]: Card } = {
  projects_late: {
    may: reads('projects'),
    read: (ctx, people) => partOf(ctx, projectsLate(ctx, people)),
  },
  accounts_at_risk: {
    may: reads('accounts'),
    read: (ctx, people) => partOf(ctx, accountsAtRisk(people)),
  },
  deals_need_step: {
    may: reads('deals'),
    read: (ctx, people) => partOf(ctx, dealsThatNeedStep(ctx, people)),
  },
  deals_closing: {
    may: reads('deals'),
    read: (ctx, people) => partOf(ctx, dealsClosing(people)),
  },
  mentions: { may: () => true, read: (ctx) => partOf(ctx, mentions()) },
  meetings: {
    may: reads('calendar'),
    read: async (ctx, people) => {
      const { rows, ...part } = await meetingsUntil(ctx, addDays(today(ctx), 3), people)
      return { ...part, rows: rows.slice(0, size) }
    },
  },
  team: {
    may: (ctx) => leads(ctx) && reads('tasks')(ctx) && reads('users')(ctx),
    read: team,
  },
}

/** Whether people report to the caller. */
export function leads({ actor }: Context): boolean {
  return !actor.is_confined && actor.team.length > 1
}

type StoredProject = {
  project_id: string
  project_name: string
  due_date: string | null
  formatted_deal_value?: string | null
  last_update_time: string
  insights?: { overdue_tasks: number } | null
}

function projectsLate(ctx: Context, people: string[]): Listed<StoredProject> {
  const now = today(ctx)
  return {
    record: ShownProject,
    list: {
      module: 'projects',
      filter: [
        { or: [whoIs('project_owner', people), whoIs('project_manager', people)] },
        { field: 'completed_at', operator: 'is_empty' },
        { field: 'due_date', operator: 'lt', value: now },
      ],
      sort: 'due_date',
    },
    fields: 'project_id,project_name,due_date,insights,last_update_time',
    size,
    extra: sql`t.project_type = 'project'`,
    row: ({ project_id: id, project_name: title, due_date: due, insights }) =>
      rowOf({
        kind: 'project',
        id,
        title,
        due,
        why: insights?.overdue_tasks
          ? whyOf('late_tasks', { count: insights.overdue_tasks })
          : whyOf('past_due', { since: due }),
      }),
  }
}

const dealFields = 'project_id,project_name,due_date,formatted_deal_value,last_update_time'
const openDeal = { field: 'stage_category', operator: 'eq', value: 'open' }

function dealsThatNeedStep(ctx: Context, people: string[]): Listed<StoredProject> {
  const now = today(ctx)
  const quiet = addDays(now, -quietDays)
  return {
    record: ShownProject,
    list: {
      module: 'deals',
      filter: [
        whoIs('project_owner', people),
        openDeal,
        {
          or: [
            { field: 'due_date', operator: 'is_empty' },
            { field: 'due_date', operator: 'lt', value: now },
            { field: 'last_update_time', operator: 'lt', value: quiet },
          ],
        },
      ],
      sort: 'due_date',
    },
    fields: dealFields,
    size,
    extra: sql`t.project_type = 'deal'`,
    row: (deal) =>
      rowOf({
        ...dealRow(deal),
        why:
          deal.due_date === null
            ? whyOf('no_date')
            : deal.due_date < now
              ? whyOf('past_due', { since: deal.due_date })
              : whyOf('quiet', { since: deal.last_update_time.slice(0, 10) }),
      }),
  }
}

function dealsClosing(people: string[]): Listed<StoredProject> {
  return {
    record: ShownProject,
    list: {
      module: 'deals',
      filter: [
        whoIs('project_owner', people),
        openDeal,
        { field: 'due_date', operator: 'current_month' },
      ],
      sort: 'due_date',
    },
    fields: dealFields,
    size,
    extra: sql`t.project_type = 'deal'`,
    row: (deal) => rowOf(dealRow(deal)),
  }
}

function dealRow(deal: StoredProject) {
  const { project_id: id, project_name: title, due_date: due, formatted_deal_value } = deal
  return { kind: 'deal' as const, id, title, due, value: formatted_deal_value ?? null }
}

type StoredAccount = {
  account_id: string
  account_name: string
  health_score: number
  insight: { health?: { reasons?: string[] } } | null
}

function accountsAtRisk(people: string[]): Listed<StoredAccount> {
  return {
    record: Account,
    list: {
      module: 'accounts',
      filter: [
        whoIs('account_owner', people),
        { field: 'health_score', operator: 'lt', value: lowScore },
      ],
      sort: 'health_score',
    },
    fields: 'account_id,account_name,health_score,insight',
    size,
    row: ({ account_id: id, account_name: title, health_score, insight }) => {
      const reasons = insight?.health?.reasons?.slice(0, 2).join(' · ')
      const why = reasons ? whyOf('health', { text: reasons }) : null
      return rowOf({ kind: 'account', id, title, value: String(health_score), why })
    },
  }
}

type StoredNotification = { notification_id: string; title: string; notify_time: string }

function mentions(): Listed<StoredNotification> {
  return {
    record: Notification,
    list: {
      module: 'notifications',
      filter: [
        { field: 'read', operator: 'eq', value: false },
        { field: 'notification_type', operator: 'eq', value: 1 },
      ],
      sort: '',
    },
    fields: 'notification_id,title,notify_time',
    size,
    row: ({ notification_id: id, title, notify_time: due }) =>
      rowOf({ kind: 'mention', id, title, due, acts: ['read'] }),
  }
}

/** The people below the caller with their late tasks and those of the coming week, the latest first: one query. */
async function team(ctx: Context): Promise<Part> {
  const now = today(ctx)
  const people = ctx.actor.team.filter((id) => id !== ctx.actor.user_id)
  const found = await ctx.all<{ id: string; full_name: string; late: number; week: number }>(sql`
    select t.id, t.full_name,
      count(*) filter (where k.due_date < ${now}::date)::int as late,
      count(*) filter (where k.due_date between ${now}::date and ${addDays(now, 7)}::date)::int
        as week
    from ${readableRows(ctx, 'users')} t
    left join ${readableRows(ctx, 'tasks')} k on k.organization_id = $organization
      and k.owner = t.id and not k.is_completed and k.deleted_at is null
    where ${all(mine(ctx), sql`t.id = any(${people}) and t.is_active and t.deleted_at is null`)}
    group by t.id, t.full_name order by late desc, week desc, t.full_name, t.id`)
  const rows = found
    .slice(0, size * 2)
    .map(({ id, full_name: title, late, week }) =>
      rowOf({ kind: 'person', id, title, why: whyOf('load', { count: late, also: week }) }),
    )
  return { rows, count: found.length, list: null, is_failed: false }
}
