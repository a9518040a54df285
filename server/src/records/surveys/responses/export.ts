import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { CsvColumn } from '../../../model/sheets/csv.ts'
import { cellOf } from '../../../model/sheets/csv.ts'
import type { Answers, FormField, Page } from '../../../model/forms/form-parts.ts'
import { answerText, withoutNames } from '../../../model/forms/piping.ts'
import { addressParts, contactParts } from '../../../model/forms/answer-parts.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'
import type { SurveyResponse } from '../../../model/surveys/responses/response.ts'

type Column = CsvColumn<SurveyResponse>

/** The columns of an export: those of every response, then the questions of all versions. */
export async function columnsOf(ctx: Context, survey: string): Promise<Column[]> {
  const versions = await ctx.all<{ pages: Page[] }>(sql`
    select t.pages from survey_versions t
    where ${mine(ctx)} and t.survey_id = ${survey} order by t.version desc`)
  return [...fixedColumns, ...questionColumns(versions.flatMap(({ pages }) => questionsOf(pages)))]
}

const fixedColumns = (
  [
    'response_id',
    'creation_time',
    'finished',
    'finished_at',
    'respondent_email',
    'structure_version',
  ] as const
).map((name): Column => ({ name, text: (response) => cellOf(response[name]) }))

/** One column per question, with its newest wording; a matrix has one per row. */
function questionColumns(questions: FormField[]): Column[] {
  const newest = new Map<string, FormField>()
  for (const question of questions) {
    if (!newest.has(question.id)) newest.set(question.id, question)
  }
  const columns = [...newest.values()].flatMap(columnsOfQuestion)
  const byName = Map.groupBy(columns, ({ name }) => name)
  return columns.map(({ id, name, text }) => ({
    name: (byName.get(name)?.length ?? 0) > 1 ? `${name} (${id})` : name,
    text,
  }))
}

function columnsOfQuestion(question: FormField): (Column & { id: string })[] {
  const { id, type, rows, options = [] } = question
  const label = withoutNames(question.label)
  const labels = new Map<unknown, string>()
  for (const option of options ?? []) {
    if (!labels.has(option.value)) labels.set(option.value, option.label)
  }
  const parts = type === 'contact' ? contactParts : type === 'address' ? addressParts : undefined
  if (parts) {
    return parts.map((part) => ({
      id,
      name: `${label}: ${part.replaceAll('_', ' ')}`,
      text: ({ answers }) => cellOf((answers[id] as Answers | null | undefined)?.[part]),
    }))
  }
  if (type === 'file' || type === 'signature') {
    return [{ id, name: label, text: ({ answers }) => answerText(question, answers[id]) || null }]
  }
  if ((type !== 'matrix' && type !== 'rating-matrix') || !rows?.length) {
    return [{ id, name: label, text: ({ answers }) => textOf(labels, answers[id]) }]
  }
  return rows.map((row) => ({
    id,
    name: `${label}: ${row.label}`,
    text: ({ answers }) => {
      const choices = answers[id] as Answers | null | undefined
      return textOf(labels, choices?.[row.value])
    },
  }))
}

/** An answer as its respondent saw it: with the labels of the choices. */
function textOf(labels: ReadonlyMap<unknown, string>, value: unknown): string | null {
  const labelOf = (each: unknown) => labels.get(each) ?? each
  return cellOf(Array.isArray(value) ? value.map(labelOf) : labelOf(value))
}
