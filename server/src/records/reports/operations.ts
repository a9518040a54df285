import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import type { Context } from '../../kit/ground/context.ts'
import { startOfDay } from '../../kit/ground/dates.ts'
import { badField, forbidden, notFound } from '../../kit/ground/errors.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { readsInternal } from '../../kit/record/audience.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { Account } from '../../model/accounts/account.ts'
import type { Range } from '../../model/dashboards/range.ts'
import { periodsOf } from '../../model/dashboards/range.ts'
import { pipelinesNamed } from '../../model/projects/pipelines/named.ts'
import { choicesNamed } from '../modules/choices.ts'
import { organizationCurrency } from '../projects/priced.ts'
import { forecast } from './forecast.ts'
import { cohorts, funnel } from './funnel.ts'
import { goLive } from './go-live.ts'
import { health } from './health.ts'
import type { ReportName, ReportSide } from '../../model/dashboards/reports.ts'
import { reportNamed, reportNames, reportSides, sidesOf } from '../../model/dashboards/reports.ts'
import type { Report, ReportKind, ReportRow } from './kind.ts'
import { monthOf, reportSchema } from './kind.ts'
import { nps } from './nps.ts'
import { plan } from './plan.ts'

const kinds: { [report in ReportName]: ReportKind } = {
  go_live: goLive,
  plan,
  funnel,
  cohorts,
  forecast,
  nps,
  health,
}

const query = Type.Object({
  by: Type.Optional(
    enumeration(reportSides, {
      title: 'ReportSide',
      description: 'what its rows are; the usual ones of the report if absent',
    }),
  ),
  time_filter: Type.Optional(
    Type.String({ maxLength: 20, description: '12_months when absent; months count as a whole' }),
  ),
  pipeline_id: Type.Optional(idInQuery('of deals, by id or name')),
  currency_unit: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      description: "of amounts; the organization's when absent",
    }),
  ),
})

/** A report that comes with the product and is more than groups of one list, within the caller's rights. */
export const readReport = operation({
  name: 'read_report',
  summary: 'Compute a report',
  description:
    'Days until projects went live, templates against what they took, deals through their stages and by the month ' +
    'they were made in, what was expected of months beside what came, the net promoter score and health over time. ' +
    'It counts what the caller may read; 403 for customers and partners.',
  can: { module: 'dashboards', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: {
    params: Type.Object({
      report: Type.String({ description: `which one: ${reportNames.join(', ')}` }),
    }),
    query,
  },
  output: reportSchema,
  run(ctx, { params, query: asked }) {
    const report = reportNamed(params.report)
    if (!report) throw notFound('Report')
    return computeReport(ctx, report, asked)
  },
})

type Query = {
  by?: ReportSide
  time_filter?: string
  pipeline_id?: string
  currency_unit?: string
}

/** What a report shows to the caller; 403 where the role does not read what it counts. */
export async function computeReport(
  ctx: Context,
  report: ReportName,
  asked: Query,
): Promise<Report> {
  const kind = kinds[report]
  if (!readsInternal(ctx.actor)) throw forbidden('Reports are for people of the organization')
  if (levelOf(ctx.actor, kind.module, 'read') === 'none') {
    throw forbidden(`Your role may not read ${kind.module}`)
  }
  const sides = sidesOf[report]
  const { by = sides[0], time_filter = '12_months' } = asked
  if (!sides.includes(by)) throw badField('by', `must be one of ${sides.join(', ')}`)
  const { range: exact } = periodsOf(ctx, time_filter)
  const range = by === 'month' ? wholeMonths(ctx, exact) : exact
  const [currency, pipeline_id] = await Promise.all([
    asked.currency_unit ?? organizationCurrency(ctx),
    pipelineOf(ctx, asked.pipeline_id),
  ])
  const {
    left_out = 0,
    currencies = [],
    ...found
  } = await kind.count(ctx, {
    by,
    range,
    time_filter,
    currency,
    pipeline_id,
  })
  const days = kind.isTimeless ? { from: null, to: null } : { from: range.from, to: range.to }
  return {
    report,
    by,
    ...days,
    currency_unit: kind.hasMoney ? currency : null,
    currencies,
    left_out,
    ...found,
    ...(by === 'segment' ? { rows: await segmentsNamed(ctx, found.rows) } : {}),
  }
}

/** The rows of segments by the names of those that the organization has. */
async function segmentsNamed(ctx: Context, rows: ReportRow[]): Promise<ReportRow[]> {
  const choices = await choicesNamed(ctx, Account, 'segment')
  return rows.map((row) => {
    const word = row.key?.toLowerCase()
    const choice = choices.find(({ value }) => String(value).toLowerCase() === word)
    return choice ? { ...row, label: choice.label } : row
  })
}

/** A period from the first day of its first month on. */
function wholeMonths(ctx: Context, range: Range): Range {
  const from = monthOf(range.from)
  return { ...range, from, since: startOfDay(from, ctx.organization.timezone) }
}

async function pipelineOf(ctx: Context, word: string | undefined): Promise<string | undefined> {
  if (word === undefined) return undefined
  const [id] = (await pipelinesNamed(ctx, [word])).get(word) ?? []
  if (id === undefined) throw badField('pipeline_id', 'no such pipeline')
  return id
}
