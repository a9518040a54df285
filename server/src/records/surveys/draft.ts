import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badFields, notFound } from '../../kit/ground/errors.ts'
import { enumeration, schema } from '../../kit/ground/json-schema.ts'
import { unknownKeys } from '../../kit/ground/nearest.ts'
import { equal } from '../../kit/ground/object.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Patch, Row } from '../../kit/record/record.ts'
import { readSchema, updateSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import type { LockedRecord, Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import { languages } from '../../model/languages/language.ts'
import type { Structure } from '../../model/forms/form-parts.ts'
import type { StructureInput } from '../../model/surveys/structure.ts'
import { formStructure } from '../../model/forms/form-parts.ts'
import { checkClosingUrl, structureOf } from '../../model/surveys/endings.ts'
import { structureSchema } from '../../model/surveys/structure.ts'
import { Survey } from '../../model/surveys/survey.ts'
import { sealPreview } from './links/preview.ts'
import { changeSurvey } from './update.ts'

/** The texts and the look of a survey, which its draft has besides the questions. */
const drafted = [
  'name',
  'description',
  'closing_title',
  'closing_text',
  'closing_button',
  'closing_url',
  'language',
  'translations',
  'background_color',
  'background_url',
  'action_color',
  'field_border',
] as const

type Texts = Pick<Row<typeof Survey>, (typeof drafted)[number]>
/** A draft as it is stored. */
export type SurveyDraft = Texts & Structure

/** The members of a schema of the survey that its draft has too, each of which a body may leave out. */
function textsIn(of: TSchema, isOptional: boolean) {
  const all = (of as { properties?: object }).properties as { [name in keyof Texts]: TSchema }
  return Object.fromEntries(
    drafted.map((name) => [name, isOptional ? Type.Optional(all[name]) : all[name]]),
  )
}

const bodySchema = schema<Partial<Texts> & { form_structure?: StructureInput }>({
  ...Type.Object({
    form_structure: Type.Optional(structureSchema),
    ...textsIn(updateSchema(Survey), true),
  }),
})

const draftSchema = Type.Object(
  {
    survey_id: Type.String(),
    is_draft: Type.Boolean({ description: 'false: there is none, and this is what is published' }),
    form_structure: Type.Object(
      { pages: formStructure.pages, endings: formStructure.endings },
      { title: 'SurveyDraftStructure' },
    ),
    ...textsIn(readSchema(Survey), false),
    version: Type.Integer({ description: 'of the survey, for `If-Match`' }),
  },
  { title: 'SurveyDraft', additionalProperties: false },
)

/** What a survey becomes when it is published next. */
export const surveyDraft = {
  read: operation({
    name: 'read_survey_draft',
    summary: 'Retrieve the draft of a survey',
    description: 'Its next version, which nobody sees until it is published.',
    can: { module: 'surveys', action: 'update' },
    writes: false,
    input: { params: byId },
    output: draftSchema,
    run: (ctx, { params }) => shownDraft(ctx, params.id),
  }),
  change: operation({
    name: 'update_survey_draft',
    summary: 'Store the draft of a survey',
    description:
      'It may lack what publishing needs, such as labels and choices. Absent texts stay as they are.',
    can: { module: 'surveys', action: 'update' },
    writes: true,
    isVersioned: true,
    input: {
      params: byId,
      body: bodySchema,
    },
    output: draftSchema,
    async run(ctx, { params: { id }, body: whole, ifMatch }) {
      // what was read may be sent back
      const errors = unknownKeys(whole, Object.keys(draftSchema.properties), '')
      if (errors.length) throw badFields(errors)
      const { form_structure, ...body } = onlyDrafted(whole)
      const locked = await lock(ctx, Survey, id, 'update', ifMatch)
      const before = await nextOf(ctx, locked)
      const structure = form_structure && structureOf(form_structure, before, { isDraft: true })
      checkClosingUrl(body, before)
      const draft = { ...before, ...body, ...structure }
      await storeDraft(ctx, locked, before, draft)
      return shownDraft(ctx, id)
    },
  }),
  remove: operation({
    name: 'delete_survey_draft',
    summary: 'Discard the draft of a survey',
    can: { module: 'surveys', action: 'update' },
    writes: true,
    isVersioned: true,
    input: { params: byId },
    output: draftSchema,
    async run(ctx, { params: { id }, ifMatch }) {
      const locked = await lock(ctx, Survey, id, 'update', ifMatch)
      if (await draftOf(ctx, id)) await update(ctx, locked, {}, { set: { draft: null } })
      return shownDraft(ctx, id)
    },
  }),
  preview: operation({
    name: 'preview_survey',
    summary: 'Create a link to a preview of a survey',
    description:
      'The page shows the draft for 10 minutes, in a frame of this service too. Answers there are not stored.',
    can: { module: 'surveys', action: 'update' },
    writes: false,
    input: {
      params: byId,
      body: Type.Object({
        language: Type.Optional(
          enumeration(languages, { title: 'PageLanguage', description: 'of the page’s own words' }),
        ),
      }),
    },
    output: Type.Object(
      {
        url: Type.String({ description: 'the page, which anyone with the address sees' }),
        expires_at: Type.String({ format: 'date-time' }),
      },
      { title: 'SurveyPreview', additionalProperties: false },
    ),
    async run(ctx, { params: { id }, body }) {
      // 404 where the caller may read the survey and not change it: a draft is not for everybody yet
      await shownDraft(ctx, id)
      const { key, expires_at } = sealPreview(ctx, id, body?.language)
      return { url: `${ctx.public_url}/s/preview/${key}`, expires_at }
    },
  }),
}

function onlyDrafted<B extends object>(body: B): B {
  const known = new Set<string>(['form_structure', ...drafted])
  return Object.fromEntries(Object.entries(body).filter(([name]) => known.has(name))) as B
}

/** Publishes a survey with its draft, if it has one; of a template only the draft is taken. */
export async function publishSurvey(ctx: Context, id: string): Promise<Written> {
  const locked = await lock(ctx, Survey, id, 'update')
  const draft = await draftOf(ctx, id)
  const isTemplate = locked.row.item_type === 'survey_template'
  const status = draft && isTemplate ? {} : { status: 'published' as const }
  if (!draft) return changeSurvey(ctx, locked, status)
  const { pages, endings, ...fields } = draft
  const form_structure = { pages, ...(endings ? { endings } : {}) }
  const changes = { ...(fields as Patch<typeof Survey>), ...status, form_structure }
  return changeSurvey(ctx, locked, changes, { draft: null })
}

/** The draft of a survey; undefined without one. */
export async function draftOf(ctx: Context, id: string): Promise<SurveyDraft | undefined> {
  const found = await ctx.one<{ draft: SurveyDraft | null }>(
    sql`select t.draft from surveys t where ${mine(ctx)} and t.id = ${id}`,
  )
  return found?.draft ?? undefined
}

/** What a survey becomes next: its draft, or what is published. */
export async function nextOf(ctx: Context, { row }: Locked): Promise<SurveyDraft> {
  return { ...published(row), ...(await draftOf(ctx, row.survey_id)) }
}

/** Stores the draft of a survey, if it differs from the one before. */
export async function storeDraft(
  ctx: Context,
  locked: Locked,
  before: SurveyDraft,
  draft: SurveyDraft,
): Promise<void> {
  if (equal(draft, before)) return
  await update(ctx, locked, {}, { set: { draft: JSON.stringify(draft) } })
}

type Locked = LockedRecord<typeof Survey>

function published(row: Locked['row']): SurveyDraft {
  const texts = Object.fromEntries(drafted.map((name) => [name, row[name]])) as Texts
  const { pages, endings = [] } = row.form_structure
  return { ...texts, pages, endings }
}

export async function shownDraft(ctx: Context, id: string) {
  const found = await ctx.one<Row<typeof Survey> & { draft: SurveyDraft | null; version: number }>(
    sql`select t.* from surveys t where ${scope(ctx, Survey, 'update')} and t.id = ${id}`,
  )
  if (!found) throw notFound('Survey')
  const { draft, version } = found
  const { pages, endings, ...shown } = { ...published(found), ...draft }
  const form_structure = { pages, endings }
  const body = { ...shown, survey_id: id, is_draft: draft !== null, form_structure }
  return new Answer({ ...body, version }, { version })
}
