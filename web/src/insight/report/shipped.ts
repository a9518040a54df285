import type { Question } from './address.ts'
import type { CountedName } from '../../data/counted.ts'
import type { Session } from '../../api/session.ts'
import { isExternal, levelOf } from '../../data/session.ts'
import { t } from '../../locales/text.ts'

/** A report that comes with the product. */
export type Shipped = { name: string; note: string; question: Question }

const open = { field: 'closed_at', operator: 'is_empty' }
const closed = { field: 'closed_at', operator: 'is_not_empty' }

/** Reports that are counted by more than groups of one list, by the names in their addresses. */
export const countedReports: {
  [report in CountedName]: { name: string; note: string; module: string; isTimeless?: boolean }
} = {
  funnel: {
    name: t('Deals through the stages'),
    note: t('How many deals reach each stage, how long they stay in it, and where they are lost'),
    module: 'deals',
  },
  cohorts: {
    name: t('Conversion by month'),
    note: t('Of the deals made in each month: the share that came to each stage'),
    module: 'deals',
  },
  forecast: {
    name: t('Forecast and what came'),
    note: t('What was expected of each month when it began, beside what was won in it'),
    module: 'deals',
  },
  go_live: {
    name: t('Time to go-live'),
    note: t('The days from the start of projects to the day they were completed'),
    module: 'projects',
  },
  plan: {
    name: t('Plan against actual'),
    note: t('Each template and its milestones beside what its projects really took'),
    module: 'templates',
    isTimeless: true,
  },
  health: {
    name: t('Health over time'),
    note: t('How many accounts were healthy, at risk or critical at the end of each month'),
    module: 'accounts',
  },
  nps: {
    name: t('Net promoter score by segment'),
    note: t('The score of answers by the segment, account or owner they are about'),
    module: 'surveys',
  },
}

/** Whether somebody reads a counted report: customers and partners read none. */
export function mayCount(session: Session, report: CountedName): boolean {
  return !isExternal(session) && levelOf(session, countedReports[report].module, 'read') !== 'none'
}

/** The names of all counted reports, in the order in which they are offered. */
export const countedNames = Object.keys(countedReports) as CountedName[]

/** The name of such a report; undefined for any other word. */
export function countedNamed(word: string | undefined): CountedName | undefined {
  return word && Object.hasOwn(countedReports, word) ? (word as CountedName) : undefined
}

/** Questions that teams ask most; each is a start that can be changed and saved. */
export const shipped: Shipped[] = [
  {
    name: t('Pipeline by stage and month'),
    note: t('The value of open deals in each stage, by the month in which they are expected'),
    question: {
      of: 'deals',
      f: [open],
      by: 'forecasted_date',
      unit: 'month',
      then: 'stage_id',
      show: 'sum:expected_deal_value,count',
    },
  },
  {
    name: t('Won and lost by month'),
    note: t('How many deals were closed in each month, and in which stage'),
    question: { of: 'deals', f: [closed], by: 'closed_at', unit: 'month', then: 'stage_id' },
  },
  {
    name: t('Lost by reason'),
    note: t('Why deals were lost, and what they were worth'),
    question: {
      of: 'deals',
      f: [{ field: 'lost_reason', operator: 'is_not_empty' }],
      by: 'lost_reason',
      show: 'count,sum:expected_deal_value,share',
      as: 'ring',
    },
  },
  {
    name: t('Load by person'),
    note: t('Open tasks of each person, by the month in which they are due'),
    question: {
      of: 'tasks',
      f: [{ field: 'is_completed', operator: 'eq', value: false }],
      by: 'owner',
      then: 'due_date',
      then_unit: 'month',
    },
  },
  {
    name: t('Projects completed by month'),
    note: t('How many went live in each month, and who led them'),
    question: {
      of: 'projects',
      f: [{ field: 'completed_at', operator: 'is_not_empty' }],
      by: 'completed_at',
      unit: 'month',
      then: 'project_owner',
    },
  },
  {
    name: t('Health by segment'),
    note: t('The average and the median health of accounts in each segment'),
    question: {
      of: 'accounts',
      by: 'segment',
      show: 'average:health_score,median:health_score,count',
    },
  },
]
