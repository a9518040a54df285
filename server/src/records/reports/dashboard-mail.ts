import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { Failure, forbidden } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import type { MessageKey, Voice } from '../../model/languages/language.ts'
import type { WidgetType } from '../../model/dashboards/widget-types.ts'
import type { WidgetConfig } from '../dashboards/config.ts'
import { reportFor, unitOf } from './report-mail.ts'
import { readMailed, setMailed } from '../notifications/mailed.ts'
import type { ReportName } from '../../model/dashboards/reports.ts'
import { reportNamed } from '../../model/dashboards/reports.ts'
import { computeReport } from './operations.ts'
import type { Unit } from './weekly.ts'
import { mailWeekly, numberWords } from './weekly.ts'
import { computeWidget, dashboardOf } from '../dashboards/widget.ts'

const state = Type.Object(
  { is_on: Type.Boolean({ description: 'whether the caller gets the dashboard every Monday' }) },
  { title: 'DashboardMail' },
)

/** Whether the caller gets a dashboard by mail every Monday. */
export const readDashboardMail = operation({
  name: 'read_dashboard_mail',
  summary: 'Retrieve whether a dashboard is mailed',
  can: { module: 'dashboards', action: 'read' },
  writes: false,
  input: { params: byId },
  output: state,
  async run(ctx, { params: { id } }) {
    await dashboardOf(ctx, id)
    return readMailed(ctx, 'dashboard', id)
  },
})

/** Switches the weekly mail of a dashboard on or off, for the caller alone. */
export const setDashboardMail = operation({
  name: 'set_dashboard_mail',
  summary: 'Choose whether a dashboard is mailed',
  description:
    'On Monday morning the caller gets the numbers of its widgets by mail, in their language and within their rights.',
  can: { module: 'dashboards', action: 'read' },
  writes: true,
  isVersioned: true,
  input: { params: byId, body: state },
  output: state,
  async run(ctx, { params: { id }, body: { is_on }, ifMatch }) {
    await dashboardOf(ctx, id)
    if (ctx.actor.is_external)
      throw forbidden('Dashboards are mailed to people of the organization')
    return setMailed(ctx, 'dashboard', id, is_on, ifMatch)
  },
})

/** Widgets that a mail has. */
const mostWidgets = 20

/**
 * Mails dashboards for a week to those who chose them; returns how many mails it has been through. A dashboard that its
 * reader does not see any more is not mailed.
 */
export function mailDashboards(ctx: Context, monday: string): Promise<number> {
  return mailWeekly(ctx, monday, 'dashboard', async (theirs, id) => {
    const found = await dashboardOf(theirs, id).catch(ifRefused)
    if (!found) return undefined
    const numbers: Headline[] = []
    for (const { widget_type, config } of shownWidgets(found.widgets)) {
      const number = config.report_id
        ? await totalOf(theirs, config.report_id, config)
        : await numberOf(theirs, found, widget_type, config)
      if (number) numbers.push(number)
    }
    return numbers.length ? letterOf(theirs, id, found.dashboard_name, numbers) : undefined
  })
}

function shownWidgets<W extends { is_visible: boolean }>(all: W[]): W[] {
  return all.filter(({ is_visible }) => is_visible).slice(0, mostWidgets)
}

/** The first number of a report, of all its records; undefined where the reader sees none of it. */
async function totalOf(
  ctx: Context,
  report_id: string,
  config: WidgetConfig & { title?: string },
): Promise<Headline | undefined> {
  const { title } = config
  const shipped = reportNamed(report_id)
  if (shipped) return shippedTotal(ctx, shipped, config)
  const found = await reportFor(ctx, report_id)
  const [figure] = found?.figures.figures ?? []
  if (!found || !figure) return undefined
  return {
    name: undefined,
    title: title ?? found.name,
    now: figure.value,
    before: null,
    unit: unitOf(figure),
    currency: figure.currency_unit ?? undefined,
  }
}

/** What of a shipped report is said, and how; none of templates, which have no sum. */
const shippedHeadlines: { [report in ReportName]?: { column: string; name: Headline['name'] } } = {
  go_live: { column: 'median', name: 'dashboard_mail.go_live' },
  funnel: { column: 'deals', name: 'dashboard_mail.deal_funnel' },
  cohorts: { column: 'won', name: 'dashboard_mail.cohorts' },
  forecast: { column: 'won_value', name: 'dashboard_mail.forecast' },
  nps: { column: 'nps', name: 'dashboard_mail.survey_nps' },
  health: { column: 'healthy', name: 'dashboard_mail.health' },
}

/** The number of a shipped report as a widget asks for it: of all rows, else of the last month. */
async function shippedTotal(
  ctx: Context,
  report: ReportName,
  config: WidgetConfig & { title?: string },
): Promise<Headline | undefined> {
  const said = shippedHeadlines[report]
  if (!said) return undefined
  const { by, time_filter, pipeline_id, currency_unit, title } = config
  const given = Object.entries({ by, time_filter, pipeline_id, currency_unit })
  const asked = Object.fromEntries(given.filter(([, value]) => value))
  const found = await computeReport(ctx, report, asked).catch(ifRefused)
  const at = found?.columns.findIndex(({ key }) => key === said.column) ?? -1
  const now = (found?.total ?? found?.rows.at(-1)?.values)?.[at] ?? null
  if (!found || now === null) return undefined
  const unit = found.columns[at]?.unit
  return {
    name: said.name,
    title,
    now,
    before: null,
    unit: unit === 'amount' ? 'money' : unit === 'percent' ? 'percent' : 'count',
    currency: found.currency_unit ?? undefined,
  }
}

/** Nothing of what the reader is refused; other errors are ours. */
function ifRefused(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error
}

/** A number of a widget: now, and in the time before. */
type Headline = {
  /** undefined of a saved report, which has a name */
  name: MessageKey | undefined
  title: string | undefined
  now: number | null
  before: number | null
  unit: Unit
  currency: string | undefined
}

/** The headline of a widget; undefined where the reader may not read it. */
async function numberOf(
  ctx: Context,
  dashboard: Awaited<ReturnType<typeof dashboardOf>>,
  type: WidgetType,
  config: WidgetConfig & { title?: string },
): Promise<Headline | undefined> {
  const request = { widget_type: type, config, words: {}, time_filter: undefined, dashboard }
  const data = await computeWidget(ctx, request).catch(ifRefused)
  if (!data || data.is_filter_deleted) return undefined
  const [member, unit] = headlines[type]
  const totals = data.totals as { [member: string]: unknown }
  const before = data.previous.totals as { [member: string]: unknown }
  const numberIn = (value: unknown) => (typeof value === 'number' ? value : null)
  return {
    name: `dashboard_mail.${type}`,
    title: config.title,
    now: numberIn(totals[member]),
    before: numberIn(before[member]),
    unit,
    currency: typeof totals.currency_unit === 'string' ? totals.currency_unit : undefined,
  }
}

/** What a widget says at first, as its card does. */
const headlines: { [type in WidgetType]: [member: string, unit: Unit] } = {
  activities: ['count', 'count'],
  deals_by_stage: ['open_value', 'money'],
  deal_funnel: ['count', 'count'],
  revenue_forecast: ['forecast', 'money'],
  deals_won_lost: ['win_rate', 'percent'],
  projects_by_status: ['open', 'count'],
  tasks_by_status: ['open', 'count'],
  overdue_tasks: ['count', 'count'],
  milestone_progress: ['progress', 'percent'],
  accounts_health: ['average', 'count'],
  survey_nps: ['nps', 'count'],
  meetings: ['count', 'count'],
  new_companies: ['count', 'count'],
  new_contacts: ['count', 'count'],
}

function letterOf(ctx: Context, id: string, dashboard: string, numbers: Headline[]) {
  const url = `${ctx.public_url}/dashboards/${encodeURIComponent(id)}`
  return (voice: Voice) => {
    const { say } = voice
    const most = mover(numbers)
    return {
      subject: say('dashboard_mail.subject', { dashboard }),
      paragraphs: most
        ? [
            say('dashboard_mail.most', {
              name: nameOf(most, voice),
              now: numberWords(most.now, most, voice.language),
              before: numberWords(most.before, most, voice.language),
            }),
          ]
        : [],
      figures: {
        columns: [
          say('dashboard_mail.what'),
          say('dashboard_mail.now'),
          say('dashboard_mail.before'),
        ],
        rows: numbers.map((each) => ({
          cells: [
            nameOf(each, voice),
            numberWords(each.now, each, voice.language),
            numberWords(each.before, each, voice.language),
          ],
          part: partOf(each),
        })),
      },
      actions: [{ label: say('dashboard_mail.open'), url }],
      note: say('dashboard_mail.note', { dashboard }),
    }
  }
}

function nameOf({ title, name }: Headline, { say }: Voice): string {
  return title || (name ? say(name) : '')
}

/** How much there is now, of the larger of now and before, from 0 to 1. */
function partOf({ now, before }: Headline): number {
  const whole = Math.max(Math.abs(now ?? 0), Math.abs(before ?? 0))
  return whole ? Math.max(0, now ?? 0) / whole : 0
}

/** The number that has changed most, by its share; undefined where none can be compared. */
function mover(numbers: Headline[]): Headline | undefined {
  const shareOf = ({ now, before, unit }: Headline) =>
    now === null || !before || unit === 'percent' ? 0 : Math.abs(now - before) / Math.abs(before)
  const [most] = numbers.toSorted((a, b) => shareOf(b) - shareOf(a))
  return most && shareOf(most) >= 0.05 ? most : undefined
}
