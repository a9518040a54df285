import type { Context } from '../../kit/ground/context.ts'
import { addDays } from '../../kit/ground/dates.ts'
import { sql } from '../../kit/ground/sql.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { Account } from '../../model/accounts/account.ts'
import { Notification } from '../../model/notifications/notification.ts'
import { ShownProject } from '../../model/projects/project.ts'
import { today } from '../../model/time/dates.ts'
import { accountsFallen, lowAnswers, renewals } from './accounts.ts'
import { meetingsUntil } from './day.ts'
import type { Listed } from './part.ts'
import { partOf, whoIs } from './part.ts'
import type { CardName, Part, Why } from './shape.ts'
import { rowOf, whyOf } from './shape.ts'
import { team } from './team.ts'

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

function reads(module: string): Card['may'] {
  return ({ actor }) => !actor.is_confined && levelOf(actor, module, 'read') !== 'none'
}

function readsBoth(one: string, other: string): Card['may'] {
  return (ctx) => reads(one)(ctx) && reads(other)(ctx)
}

/** What each card reads, and who may have it. */
export const cards: { [name in CardName]: Card } = {
  projects_late: listCard('projects', projectsLate),
  accounts_at_risk: listCard('accounts', accountsAtRisk),
  accounts_fallen: { may: reads('accounts'), read: accountsFallen },
  renewals: { may: readsBoth('accounts', 'deals'), read: renewals },
  low_answers: { may: readsBoth('accounts', 'surveys'), read: lowAnswers },
  deals_need_step: listCard('deals', dealsThatNeedStep),
  deals_closing: listCard('deals', dealsClosing),
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

/** The card of a list, for whoever may read its module. */
function listCard<T>(module: string, listed: (ctx: Context, people: string[]) => Listed<T>): Card {
  return { may: reads(module), read: (ctx, people) => partOf(ctx, listed(ctx, people)) }
}

/** Whether people report to the caller. */
export function leads({ actor }: Context): boolean {
  return !actor.is_confined && actor.team.length > 1
}

type StoredProject = {
  project_id: string
  project_name: string
  due_date: string | null
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
    fields: 'project_id,project_name,due_date,insights',
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

type StoredDeal = {
  project_id: string
  project_name: string
  /** when it is expected to close */
  forecasted_date: string | null
  formatted_deal_value?: string | null
  last_update_time: string
  open_tasks_count: number
}

/** Those without a day or whose day has passed, those nobody changed lately, and those without an open task. */
function dealsThatNeedStep(ctx: Context, people: string[]): Listed<StoredDeal> {
  const now = today(ctx)
  const quiet = addDays(now, -quietDays)
  const needsStep = {
    or: [
      { field: 'forecasted_date', operator: 'is_empty' },
      { field: 'forecasted_date', operator: 'lt', value: now },
      { field: 'last_update_time', operator: 'lt', value: quiet },
      { field: 'open_tasks_count', operator: 'eq', value: 0 },
    ],
  }
  return openDeals(people, needsStep, (deal) => {
    const { forecasted_date: day, last_update_time, open_tasks_count } = deal
    if (day === null) return whyOf('no_date')
    if (day < now) return whyOf('past_due', { since: day })
    if (open_tasks_count === 0) return whyOf('no_step')
    return whyOf('quiet', { since: last_update_time.slice(0, 10) })
  })
}

function dealsClosing(_: Context, people: string[]): Listed<StoredDeal> {
  return openDeals(people, { field: 'forecasted_date', operator: 'current_month' }, () => null)
}

/** The open deals of people that meet a condition, each with the reason why it is shown. */
function openDeals(
  people: string[],
  condition: object,
  reasonOf: (deal: StoredDeal) => Why | null,
): Listed<StoredDeal> {
  return {
    record: ShownProject,
    list: {
      module: 'deals',
      filter: [
        whoIs('project_owner', people),
        { field: 'stage_category', operator: 'eq', value: 'open' },
        condition,
      ],
      sort: 'forecasted_date',
    },
    fields:
      'project_id,project_name,forecasted_date,formatted_deal_value,last_update_time,open_tasks_count',
    size,
    extra: sql`t.project_type = 'deal'`,
    row: (deal) =>
      rowOf({
        kind: 'deal',
        id: deal.project_id,
        title: deal.project_name,
        due: deal.forecasted_date,
        value: deal.formatted_deal_value ?? null,
        why: reasonOf(deal),
      }),
  }
}

type StoredAccount = {
  account_id: string
  account_name: string
  health_score: number
  insight: { health?: { reasons?: string[] } } | null
}

function accountsAtRisk(_: Context, people: string[]): Listed<StoredAccount> {
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
