import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Patch, Row } from '../../kit/record/record.ts'
import { equal } from '../../kit/ground/object.ts'
import type { LockedRecord, Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import type { WithStructure } from './create.ts'
import { checkEnd, insertVersion, structureColumns } from './create.ts'
import { storeStructures } from './form-tasks.ts'
import { announceMove, checkHasQuestions, moveTo } from './lifecycle.ts'
import type { FormField, Page, Structure } from '../../model/forms/form-parts.ts'
import { checkClosing, storedStructure, structureOf } from '../../model/surveys/endings.ts'
import { questionsOf } from '../../model/surveys/structure.ts'
import { Survey } from '../../model/surveys/survey.ts'

/**
 * Changes a survey: a changed structure becomes a new version, a changed status is a move. 400 if an
 * answered question would change its type or its id.
 */
export async function updateSurvey(
  ctx: Context,
  id: string,
  changes: Patch<typeof Survey> & WithStructure,
  ifMatch?: number[],
): Promise<Written> {
  return changeSurvey(ctx, await lock(ctx, Survey, id, 'update', ifMatch), changes)
}

/** The same for a locked survey; `also` are columns that no body sets. */
export async function changeSurvey(
  ctx: Context,
  locked: LockedRecord<typeof Survey>,
  { form_structure, status, ...fields }: Patch<typeof Survey> & WithStructure,
  also: { [column: string]: unknown } = {},
): Promise<Written> {
  const { row } = locked
  checkEnd(ctx, fields.end_date, row.end_date)
  const stored = storedStructure(row.form_structure)
  const structure = form_structure
    ? storedStructure(structureOf(form_structure, row.form_structure))
    : stored
  const { pages } = structure
  checkClosing(fields, pages, row)
  const isNew = !equal(structure, stored)
  const set = isNew ? await newVersion(ctx, row, structure) : {}
  const { item_type = row.item_type, end_date = row.end_date } = fields
  const next = { ...row, item_type, end_date, form_structure: { pages } }
  const moved = status ? moveTo(ctx, next, status) : {}
  // respondents may have its pages open
  if (isNew && row.status === 'published') checkHasQuestions(pages)
  const after = await update(ctx, locked, fields, { set: { ...set, ...moved, ...also } })
  if (moved.status) await announceMove(ctx, row, after, moved.status)
  return after
}

/** Sets the structure of the survey's open tasks that have no answers yet. */
export async function propagateStructure(ctx: Context, after: Written): Promise<void> {
  const { form_structure } = JSON.parse(await after.json()) as Row<typeof Survey>
  const { endings: _, ...asked } = form_structure
  const structure = sql`${JSON.stringify(asked)}::jsonb`
  await storeStructures(
    ctx,
    sql`
    select t.id, t.form_structure as before, ${structure} as structure from tasks t
    where ${mine(ctx)} and t.form_id = ${after.id} and not t.is_completed and t.deleted_at is null
      and coalesce(t.form_responses, '{}') = '{}' and t.form_structure is distinct from ${structure}
    for update`,
  )
}

/** Stores the next version of a survey's structure; returns the survey's columns for it. */
async function newVersion(ctx: Context, row: Row<typeof Survey>, structure: Structure) {
  await checkAnswered(ctx, row, structure.pages)
  const version = row.form_structure.version + 1
  await insertVersion(ctx, row.survey_id, version, structure)
  return structureColumns(structure, version)
}

/** 400 if a question that has answers changes its type, which needs a new id, or its id. */
async function checkAnswered(ctx: Context, row: Row<typeof Survey>, next: Page[]) {
  const before = questionsOf(row.form_structure.pages)
  const after = questionsOf(next)
  const [earlier, kept] = [idsOf(before), idsOf(after)]
  const added = after.filter(({ id }) => !earlier.has(id))
  for (const { id, type, label } of before) {
    const isRetyped = after.some((each) => each.id === id && each.type !== type)
    // the same question with another id: its answers would be split between two questions
    const isRenamed =
      !kept.has(id) && added.some((each) => each.type === type && each.label === label)
    if (!isRetyped && !isRenamed) continue
    const answered = await ctx.one(sql`select t.id from survey_responses t
      where ${mine(ctx)} and t.survey_id = ${row.survey_id} and t.answers ? ${id}::text limit 1`)
    if (!answered) continue
    const rule = isRetyped ? 'give the new question a new id' : 'the question keeps its id'
    throw badField('form_structure', `${id} has answers: ${rule}`)
  }
}

const idsOf = (questions: FormField[]) => new Set(questions.map(({ id }) => id))
