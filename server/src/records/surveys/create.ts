import { cut } from '../../kit/ground/cut.ts'
import type { Context } from '../../kit/ground/context.ts'
import { parseInstant } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import { sql } from '../../kit/ground/sql.ts'
import { copyOf } from '../../kit/record/copy.ts'
import type { Draft } from '../../kit/record/record.ts'
import type { Written } from '../../kit/write/write.ts'
import { insert } from '../../kit/write/write.ts'
import { moveSurvey } from './lifecycle.ts'
import { readSurvey } from './read.ts'
import type { Structure } from '../../model/forms/form-parts.ts'
import { checkClosing, storedStructure, structureOf } from '../../model/surveys/endings.ts'
import type { StructureInput } from '../../model/surveys/structure.ts'
import { questionsOf } from '../../model/surveys/structure.ts'
import type { SurveyStatus } from '../../model/surveys/survey.ts'
import { Survey } from '../../model/surveys/survey.ts'

/** Properties of bodies besides the fields of the record. */
export type WithStructure = { form_structure?: StructureInput; status?: SurveyStatus }

/** Creates a survey with its first version, and moves it to the status in the body, if any. */
export async function createSurvey(
  ctx: Context,
  { form_structure = [], status = 'draft', ...fields }: Draft<typeof Survey> & WithStructure,
): Promise<Written> {
  checkEnd(ctx, fields.end_date)
  const structure = structureOf(form_structure)
  checkClosing(fields, structure.pages)
  const created = await insertSurvey(ctx, fields, structure)
  return status === 'draft' ? created : moveSurvey(ctx, created.id, status)
}

/** The properties in which a copy may differ. */
export type CopyChanges = { name?: string; item_type?: 'survey_template' }

/** Creates a draft from another survey, without its responses; a template's copy is a survey. */
export async function copySurvey(
  ctx: Context,
  id: string,
  { name, item_type }: CopyChanges,
): Promise<Written> {
  const source = await readSurvey(ctx, id)
  const sameType = source.item_type === 'survey_template' ? 'survey' : source.item_type
  const fields = {
    ...copyOf(Survey, source),
    name: name ?? cut(`${source.name} (copy)`, 255),
    item_type: item_type ?? sameType,
  }
  return insertSurvey(ctx, fields, source.form_structure)
}

function insertSurvey(
  ctx: Context,
  fields: Draft<typeof Survey>,
  structure: Structure,
): Promise<Written> {
  return insert(ctx, Survey, fields, {
    set: structureColumns(structure, 1),
    along: (id) => insertVersion(ctx, id, 1, structure),
  })
}

/** The columns of a survey for a structure. */
export function structureColumns(structure: Structure, version: number) {
  return {
    form_structure: JSON.stringify({ ...storedStructure(structure), version }),
    field_count: questionsOf(structure.pages).length,
  }
}

/** Stores a version of the structure: each response names the one that it answers. */
export async function insertVersion(
  ctx: Context,
  survey_id: string,
  version: number,
  structure: Structure,
): Promise<void> {
  const { pages, endings } = storedStructure(structure)
  await ctx.run(sql`insert into survey_versions (organization_id, survey_id, version, pages, endings)
    values (${ctx.organization.id}, ${survey_id}, ${version}, ${JSON.stringify(pages)}::jsonb,
      ${endings ? JSON.stringify(endings) : null}::jsonb)`)
}

/** 400 for an end in the past, unless it is the stored one sent back. */
export function checkEnd(ctx: Context, end_date?: string | null, before?: string | null) {
  const end = end_date && parseInstant(end_date, ctx.organization.timezone)
  if (end && end !== before && new Date(end) <= ctx.now()) {
    throw badField('end_date', 'must be in the future')
  }
}
