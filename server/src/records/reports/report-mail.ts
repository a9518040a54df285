import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, Failure, forbidden, notFound } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { Figure, Figures, GroupUnit } from '../../kit/read/figures.ts'
import { hopOf } from '../../kit/read/groups.ts'
import { ownField } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { filterRights } from '../../kit/read/saved-filter.ts'
import type { Voice } from '../../model/languages/language.ts'
import { labelIn } from '../../model/words/labels.ts'
import { readableRecord } from '../../model/readable-module.ts'
import { fieldLabelOf } from '../field-config/labels.ts'
import { figuresInWords } from '../modules/groups.ts'
import { readMailed, setMailed } from '../notifications/mailed.ts'
import type { Unit } from './weekly.ts'
import { mailWeekly, numberWords } from './weekly.ts'

const state = Type.Object(
  { is_on: Type.Boolean({ description: 'whether the caller gets the report every Monday' }) },
  { title: 'ReportMail' },
)

/** Whether the caller gets a saved report by mail every Monday. */
export const readReportMail = operation({
  name: 'read_report_mail',
  summary: 'Retrieve whether a report is mailed',
  can: { module: 'filters', action: 'read' },
  writes: false,
  input: { params: byId },
  output: state,
  async run(ctx, { params: { id } }) {
    if (!(await savedReport(ctx, id))) throw notFound('Filter')
    return readMailed(ctx, 'report', id)
  },
})

/** Switches the weekly mail of a saved report on or off, for the caller alone. */
export const setReportMail = operation({
  name: 'set_report_mail',
  summary: 'Choose whether a report is mailed',
  description:
    'On Monday morning the caller gets the numbers of its groups by mail, in their language and within their rights.',
  can: { module: 'filters', action: 'read' },
  writes: true,
  isVersioned: true,
  input: { params: byId, body: state },
  output: state,
  async run(ctx, { params: { id }, body: { is_on }, ifMatch }) {
    const found = await savedReport(ctx, id)
    if (!found) throw notFound('Filter')
    if (ctx.actor.is_external) throw forbidden('Reports are mailed to people of the organization')
    if (is_on && !found.report)
      throw badField('is_on', 'only a filter with the layout report is mailed')
    return setMailed(ctx, 'report', id, is_on, ifMatch)
  },
})

/** Groups that a mail has: those with the most records, or the last lengths of time. */
const mostGroups = 20

/** Mails saved reports for a week to those who chose them; returns how many mails it has been through. */
export function mailReports(ctx: Context, monday: string): Promise<number> {
  return mailWeekly(ctx, monday, 'report', async (theirs, id) => {
    const found = await reportFor(theirs, id)
    return found?.figures.total ? letterOf(theirs, id, found) : undefined
  })
}

type Saved = {
  name: string
  module: string
  conditions: unknown[]
  report: {
    by: string
    unit?: GroupUnit | null
    width?: number | null
    measures?: string
    currency_unit?: string | null
  } | null
}

function savedReport(ctx: Context, id: string): Promise<Saved | undefined> {
  return ctx.one<Saved>(sql`select t.name, t.module, t.conditions, t.report from filters t
    where ${scope(ctx, filterRights, 'read')} and t.id = ${id}`)
}

type Shown = Saved & { report: NonNullable<Saved['report']>; figures: Figures }

/** A saved report with its numbers, as the caller sees it; undefined where it does not, or where its fields are gone. */
export async function reportFor(ctx: Context, id: string): Promise<Shown | undefined> {
  const saved = await savedReport(ctx, id)
  if (!saved?.report) return undefined
  const { module, conditions, report } = saved
  try {
    const { by, unit, width, measures = 'count' } = report
    const query = {
      by,
      measures,
      filter: conditions,
      ...(unit ? { unit } : {}),
      ...(width ? { width } : {}),
    }
    const figures = await figuresInWords(ctx, readableRecord(ctx, module), query)
    return { ...saved, report, figures }
  } catch (error) {
    // a field or a right of it is gone
    if (error instanceof Failure) return undefined
    throw error
  }
}

function letterOf(ctx: Context, id: string, { name, module, report, figures }: Shown) {
  const url = `${ctx.public_url}/reports?${new URLSearchParams({ of: module, report: id, by: report.by })}`
  const measures = [...new Set(figures.figures.map(({ measure }) => measure))]
  const currencies = [...new Set(figures.figures.flatMap((each) => each.currency_unit ?? []))]
  const currency = currencies.includes(report.currency_unit ?? '')
    ? report.currency_unit
    : currencies[0]
  const of = (measure: string, its: Figure[]) =>
    its.find(
      (each) =>
        each.measure === measure &&
        (each.currency_unit === null || each.currency_unit === currency),
    )
  const isOfTime = figures.groups.every(({ value }) => value === null || dayForm.test(value))
  const groups = isOfTime
    ? figures.groups.slice(-mostGroups)
    : figures.groups.toSorted((a, b) => b.count - a.count).slice(0, mostGroups)
  const [first = 'count'] = measures
  const most = Math.max(0, ...groups.map((group) => Math.abs(of(first, group.figures)?.value ?? 0)))
  return (voice: Voice) => {
    const { say, language } = voice
    const record = readableRecord(ctx, module)
    const labelOfField = (name: string) => {
      const hop = hopOf(record, name)
      const field = hop ? hop.field : ownField(record, name)
      if (!field) return name.slice(name.lastIndexOf('.') + 1)
      return labelIn(language, fieldLabelOf(hop?.name ?? name, field, hop?.record ?? record))
    }
    const measureWords = (measure: string) => {
      const [kind = '', field] = measure.split(':')
      const key = `report_mail.${kind}`
      const word = voice.has(key) ? say(key) : kind
      return field ? `${word}: ${labelOfField(field)}` : word
    }
    const line = (label: string, its: Figure[]) => {
      const value = Math.abs(of(first, its)?.value ?? 0)
      return {
        cells: [label, ...measures.map((measure) => valueWords(of(measure, its), language))],
        part: most ? Math.min(1, value / most) : 0,
      }
    }
    return {
      subject: say('dashboard_mail.subject', { dashboard: name }),
      paragraphs: [],
      figures: {
        columns: [labelOfField(report.by), ...measures.map(measureWords)],
        rows: [
          ...groups.map(({ value, label, figures: its }) =>
            line(groupWords(value, label, report.unit, voice), its),
          ),
          line(say('report_mail.all'), figures.figures),
        ],
      },
      actions: [{ label: say('report_mail.open'), url }],
      note: say('dashboard_mail.note', { dashboard: name }),
    }
  }
}

const dayForm = /^\d{4}-\d\d-\d\d$/

function groupWords(
  value: string | boolean | null,
  label: string | null,
  unit: GroupUnit | null | undefined,
  voice: Voice,
): string {
  if (value === null) return voice.say('report_mail.none')
  const text = String(value)
  if (!dayForm.test(text)) return label ?? text
  if (unit === 'year') return text.slice(0, 4)
  if (unit === 'day' || unit === 'week' || unit === 'quarter') return voice.day(text)
  const look = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Date(`${text}T12:00:00Z`).toLocaleDateString(voice.language, look)
}

/** A figure as its reader writes it. */
function valueWords(figure: Figure | undefined, language: string): string {
  if (!figure) return numberWords(null, { unit: 'count' }, language)
  const about = { unit: unitOf(figure), currency: figure.currency_unit }
  return numberWords(figure.value, about, language, { percent: 1, count: 2 })
}

/** What the number of a figure is; a share of amounts is no amount. */
export function unitOf({ measure, currency_unit }: Figure): Unit {
  if (/^share\b/.test(measure)) return 'percent'
  return currency_unit ? 'money' : 'count'
}
