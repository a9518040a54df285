import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { forbidden, stale } from '../../kit/ground/errors.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { inSavepoint } from '../../kit/write/savepoint.ts'
import type { MessageKey, Voice } from '../../model/languages/language.ts'
import type { WidgetType } from '../../model/dashboards/widget-types.ts'
import type { Letter } from '../mail/letter.ts'
import { post } from '../mail/post.ts'
import { unsubscribeUrl } from '../notifications/unsubscribe.ts'
import { loadActor } from '../users/actor.ts'
import type { WidgetConfig } from './config.ts'
import { computeWidget, dashboardOf } from './widget.ts'

const state = Type.Object(
  { is_on: Type.Boolean({ description: 'whether the caller gets the dashboard every Monday' }) },
  { title: 'DashboardMail' },
)
const params = byId

/** Whether the caller gets a dashboard by mail every Monday. */
export const readDashboardMail = operation({
  name: 'read_dashboard_mail',
  summary: 'Retrieve whether a dashboard is mailed',
  can: { module: 'dashboards', action: 'read' },
  writes: false,
  input: { params },
  output: state,
  async run(ctx, { params: { id } }) {
    await dashboardOf(ctx, id)
    return shown(await chosenBy(ctx, id))
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
  input: { params, body: state },
  output: state,
  async run(ctx, { params: { id }, body: { is_on }, ifMatch }) {
    await dashboardOf(ctx, id)
    if (ctx.actor.is_external)
      throw forbidden('Dashboards are mailed to people of the organization')
    const before = await chosenBy(ctx, id)
    if (ifMatch && !ifMatch.includes(before.version)) throw stale()
    if (before.is_on === is_on) return shown(before)
    const version = before.version + 1
    await ctx.run(sql`insert into dashboard_mails as t (organization_id, user_id, dashboard_id, is_on, version)
      values (${ctx.organization.id}, ${ctx.actor.user_id}, ${id}, ${is_on}, ${version})
      on conflict (organization_id, user_id, dashboard_id) do update set is_on = excluded.is_on, version = t.version + 1`)
    return shown({ is_on, version })
  },
})

type Choice = { is_on: boolean; version: number }

/** What the caller chose; where they never did, it is off. */
async function chosenBy(ctx: Context, id: string): Promise<Choice> {
  const found = await ctx.one<Choice>(sql`select t.is_on, t.version from dashboard_mails t
    where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id} and t.dashboard_id = ${id}`)
  return found ?? { is_on: false, version: 1 }
}

function shown({ is_on, version }: Choice) {
  return new Answer({ is_on }, { version })
}

/** Mails of a batch: each computes the widgets of a dashboard. */
const batch = 5
/** Widgets that a mail has. */
const mostWidgets = 20

type Chosen = {
  user_id: string
  dashboard_id: string
  full_name: string
  email: string
  language: string | null
  timezone: string | null
}

/**
 * Mails dashboards for a week, which is named by its Monday, to those who chose them; returns how many mails it has been
 * through, a batch. The week is stored in the transaction that mails, so that nobody gets one twice. A dashboard
 * that its reader does not see any more is not mailed.
 */
export async function mailDashboards(ctx: Context, monday: string): Promise<number> {
  const chosen = await ctx.all<Chosen>(sql`
    select t.user_id, t.dashboard_id, u.full_name, u.email, u.language, u.timezone
    from dashboard_mails t
    join users u on u.organization_id = $organization and u.id = t.user_id
      and u.is_active and u.deleted_at is null and not u.is_demo_data
    where ${mine(ctx)} and t.is_on and (t.week is null or t.week < ${monday})
    order by t.user_id, t.dashboard_id limit ${batch} for update of t skip locked`)
  for (const each of chosen) {
    await tried(ctx, each)
    await ctx.run(sql`update dashboard_mails t set week = ${monday}
      where ${mine(ctx)} and t.user_id = ${each.user_id} and t.dashboard_id = ${each.dashboard_id}`)
  }
  return chosen.length
}

/** Mails one; one that fails is left out this week, so that the others are sent. */
async function tried(ctx: Context, to: Chosen): Promise<void> {
  try {
    await inSavepoint(ctx, () => mailOne(ctx, to))
  } catch (error) {
    ctx.log.error({ err: error, user_id: to.user_id }, 'a dashboard could not be mailed')
  }
}

/** A number of a widget: now, and in the time before. */
type Headline = {
  type: WidgetType
  title: string | undefined
  now: number | null
  before: number | null
  unit: Unit
  currency: string | undefined
}

async function mailOne(ctx: Context, to: Chosen): Promise<void> {
  const loaded = await loadActor(ctx, ctx.organization.id, to.user_id)
  if (!loaded?.is_active || loaded.actor.is_external) return
  const theirs: Context = { ...ctx, actor: loaded.actor }
  const found = await dashboardOf(theirs, to.dashboard_id).catch(() => undefined)
  if (!found) return
  const numbers: Headline[] = []
  const shown = found.widgets.filter(({ is_visible, config }) => is_visible && !config.report_id)
  for (const { widget_type, config } of shown.slice(0, mostWidgets)) {
    const number = await numberOf(theirs, found, widget_type, config)
    if (number) numbers.push(number)
  }
  if (!numbers.length) return
  await send(theirs, to, found.dashboard_name, numbers)
}

/** The headline of a widget; undefined where the reader may not read it. */
async function numberOf(
  ctx: Context,
  dashboard: Awaited<ReturnType<typeof dashboardOf>>,
  type: WidgetType,
  config: WidgetConfig & { title?: string },
): Promise<Headline | undefined> {
  const request = { widget_type: type, config, words: {}, time_filter: undefined, dashboard }
  const data = await computeWidget(ctx, request).catch(() => undefined)
  if (!data || data.is_filter_deleted) return undefined
  const [member, unit] = headlines[type]
  const totals = data.totals as { [member: string]: unknown }
  const before = data.previous.totals as { [member: string]: unknown }
  const numberIn = (value: unknown) => (typeof value === 'number' ? value : null)
  return {
    type,
    title: config.title,
    now: numberIn(totals[member]),
    before: numberIn(before[member]),
    unit,
    currency: typeof totals.currency_unit === 'string' ? totals.currency_unit : undefined,
  }
}

type Unit = 'count' | 'percent' | 'money'

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

async function send(ctx: Context, to: Chosen, dashboard: string, numbers: Headline[]) {
  const url = `${ctx.public_url}/dashboards/${encodeURIComponent(to.dashboard_id)}`
  const category = `dashboard:${to.dashboard_id}`
  const unsubscribe = unsubscribeUrl(ctx, { user: to.user_id, category })
  const compose = (voice: Voice): Letter => {
    const { say } = voice
    const most = mover(numbers)
    return {
      subject: say('dashboard_mail.subject', { dashboard }),
      name: to.full_name,
      paragraphs: most
        ? [
            say('dashboard_mail.most', {
              name: nameOf(most, voice),
              now: words(most.now, most, voice),
              before: words(most.before, most, voice),
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
            words(each.now, each, voice),
            words(each.before, each, voice),
          ],
          part: partOf(each),
        })),
      },
      actions: [{ label: say('dashboard_mail.open'), url }],
      note: say('dashboard_mail.note', { dashboard }),
      footers: [{ label: say('dashboard_mail.stop'), url: unsubscribe }],
    }
  }
  const { full_name: name, email: address, language, timezone } = to
  await post(ctx, { name, address, language, timezone }, compose, {
    kind: 'digest',
    sender: null,
    unsubscribe,
    needed: { user: to.user_id },
  })
}

function nameOf({ title, type }: Headline, { say }: Voice): string {
  return title || say(`dashboard_mail.${type}` satisfies MessageKey)
}

/** A number as its reader writes it. */
function words(
  value: number | null,
  { unit, currency }: Pick<Headline, 'unit' | 'currency'>,
  { language }: Voice,
): string {
  if (value === null) return '–'
  const rounded = Math.round(value)
  if (unit === 'percent')
    return new Intl.NumberFormat(language, { style: 'percent' }).format(rounded / 100)
  if (unit === 'money' && currency) {
    const look = { style: 'currency', currency, maximumFractionDigits: 0 } as const
    return new Intl.NumberFormat(language, look).format(rounded)
  }
  return rounded.toLocaleString(language)
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
