import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, Failure, notFound } from '../../kit/ground/errors.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { Row } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { lock } from '../../kit/write/write.ts'
import type { Language } from '../../model/languages/language.ts'
import { languages } from '../../model/languages/language.ts'
import { readCsv } from '../../model/sheets/csv.ts'
import type { SheetColumn } from '../../model/sheets/csv.ts'
import { sheetQuery, sheetStream } from '../../model/sheets/sheet-file.ts'
import { Survey } from '../../model/surveys/survey.ts'
import type { TextRow } from '../../model/forms/translations.ts'
import {
  languagesOf,
  longestText,
  missingIn,
  textRows,
  withTexts,
} from '../../model/forms/translations.ts'
import type { SurveyDraft } from './draft.ts'
import { nextOf, storeDraft } from './draft.ts'

const language = enumeration(languages, { title: 'SurveyLanguage' })

type Changed = { [language in Language]?: string }
const changedTexts = schema<Changed>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 20_000 },
  propertyNames: { enum: languages },
  description: 'the text in each language; an empty one takes it away',
})

const tableSchema = Type.Object(
  {
    survey_id: Type.String(),
    language: orNull(language),
    languages: Type.Array(language, { description: 'in which some text is translated' }),
    missing: Type.Array(
      Type.Object(
        { language, count: Type.Integer({ description: 'texts that this language lacks' }) },
        { title: 'SurveyMissingTexts' },
      ),
      { description: 'how many texts each language lacks' },
    ),
    texts: Type.Array(
      Type.Object(
        {
          key: Type.String({ description: 'which text it is, as `question.<id>.label`' }),
          text: Type.String({ description: 'as it is written first' }),
          translations: changedTexts,
        },
        { title: 'SurveyText' },
      ),
      { description: 'all texts, in the order of the pages' },
    ),
    version: Type.Integer({ description: 'of the survey, for `If-Match`' }),
  },
  { title: 'SurveyTranslations', additionalProperties: false },
)

const bodySchema = Type.Object({
  texts: Type.Optional(
    Type.Array(Type.Object({ key: Type.String({ maxLength: 3000 }), translations: changedTexts }), {
      maxItems: 20_000,
      description: 'the texts that change, by their keys',
    }),
  ),
  csv: Type.Optional(
    Type.String({
      maxLength: 900_000,
      description:
        'the same as a table, as the export gives it: a column `key`, and one a language',
    }),
  ),
})

/** The texts of a survey's draft in other languages, as a table. */
export const surveyTranslations = {
  read: operation({
    name: 'read_survey_translations',
    summary: 'Retrieve the translations of a survey',
    description:
      'All texts of its draft, or of what is published, with their translations. What a language lacks is shown as it is written first.',
    can: { module: 'surveys', action: 'update' },
    writes: false,
    input: { params: byId },
    output: tableSchema,
    run: (ctx, { params }) => shown(ctx, params.id),
  }),
  change: operation({
    name: 'update_survey_translations',
    summary: 'Store translations of a survey',
    description:
      'They become part of its draft. Texts that are not named stay as they are; the texts themselves are not changed.',
    can: { module: 'surveys', action: 'update' },
    writes: true,
    isVersioned: true,
    input: { params: byId, body: bodySchema },
    output: tableSchema,
    async run(ctx, { params: { id }, body, ifMatch }) {
      const locked = await lock(ctx, Survey, id, 'update', ifMatch)
      const before = await nextOf(ctx, locked)
      const known = new Map(textRows(before).map((row) => [row.key, row]))
      const changes = new Map<string, Changed>()
      for (const [n, { key, translations }] of (body?.texts ?? []).entries()) {
        const row = known.get(key)
        if (!row) throw badField(`texts.${n}.key`, 'must be the key of a text of this survey')
        checkLengths(row, translations, `texts.${n}.translations`)
        changes.set(key, { ...changes.get(key), ...translations })
      }
      for (const { line, key, translations } of await rowsIn(body?.csv)) {
        const row = known.get(key)
        if (!row) throw badField('csv', `line ${line}: ${key} is no text of this survey`)
        checkLengths(row, translations, 'csv')
        changes.set(key, { ...changes.get(key), ...translations })
      }
      await storeDraft(ctx, locked, before, withTexts(before, changes) as SurveyDraft)
      return shown(ctx, id)
    },
  }),
  export: operation({
    name: 'export_survey_translations',
    summary: 'Export the texts of a survey for translation as CSV or .xlsx',
    description:
      'One row per text: its key, the text, and a column per language. The table can be sent back as `csv`.',
    can: { module: 'surveys', action: 'update' },
    writes: false,
    lane: 'heavy',
    input: { params: byId, query: Type.Object(sheetQuery) },
    output: null,
    gives: 'text/csv',
    async run(ctx, { params, query }) {
      const { draft } = await draftIn(ctx, params.id)
      const columns: SheetColumn<TextRow>[] = [
        { name: 'key', text: ({ key }) => key },
        { name: 'text', text: ({ text }) => text },
        ...languages.map((each) => ({
          name: each,
          text: ({ translations }: TextRow) => translations[each] ?? null,
        })),
      ]
      async function* pages() {
        yield textRows(draft)
      }
      return sheetStream(ctx, { columns, pages: pages(), name: 'survey-texts' }, query)
    },
  }),
}

function checkLengths({ key }: TextRow, translations: Changed, at: string): void {
  const most = longestText(key)
  for (const [language, text] of Object.entries(translations)) {
    if (text.length <= most) continue
    throw badField(
      at === 'csv' ? at : `${at}.${language}`,
      `${key} must be at most ${most} characters`,
    )
  }
}

/** The rows of a table that is sent back; cells that are empty are left as they are. */
async function rowsIn(csv: string | undefined) {
  if (!csv?.trim()) return []
  const found: { line: number; key: string; translations: Changed }[] = []
  let names: string[] | undefined
  try {
    const bytes = Readable.from([Buffer.from(csv)])
    for await (const { line, cells } of readCsv(bytes, { delimiter: null, encoding: 'utf-8' })) {
      if (!names) {
        names = cells.map((each) => each.trim().toLowerCase())
        if (!names.includes('key')) throw badField('csv', 'must have a column key')
        continue
      }
      const key = cells[names.indexOf('key')]?.trim() ?? ''
      if (!key) continue
      const all = languages.flatMap((each) => {
        const at = names?.indexOf(each) ?? -1
        const text = at < 0 ? '' : (cells[at]?.trim() ?? '')
        return text ? [[each, text]] : []
      })
      found.push({ line, key, translations: Object.fromEntries(all) as Changed })
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 400) throw error
    throw error.errors?.length ? error : badField('csv', error.message)
  }
  return found
}

async function draftIn(ctx: Context, id: string) {
  const found = await ctx.one<Row<typeof Survey> & { draft: SurveyDraft | null; version: number }>(
    sql`select t.* from surveys t where ${scope(ctx, Survey, 'update')} and t.id = ${id}`,
  )
  if (!found) throw notFound('Survey')
  const { draft, version, form_structure, ...texts } = found
  const { pages, endings = [] } = form_structure
  return { version, draft: { ...texts, pages, endings, ...draft } }
}

async function shown(ctx: Context, id: string) {
  const { version, draft } = await draftIn(ctx, id)
  const all = languagesOf(draft)
  const table = {
    survey_id: id,
    language: draft.language ?? null,
    languages: all,
    missing: missingIn(draft, all),
    texts: textRows(draft).map(({ key, text, translations }) => ({
      key,
      text,
      translations: translations as Changed,
    })),
    version,
  }
  return new Answer(table, { version })
}
