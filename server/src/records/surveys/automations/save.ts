import { additionsOf } from '../../../kit/record/record.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, badFields, Failure } from '../../../kit/ground/errors.ts'
import { unknownKeys } from '../../../kit/ground/nearest.ts'
import { orNull, requiring } from '../../../kit/ground/json-schema.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Patch } from '../../../kit/record/record.ts'
import { requireWholeToken } from '../../../kit/record/scope.ts'
import { withoutRepeated } from '../../../kit/write/changes.ts'
import type { LockedRecord, Written } from '../../../kit/write/write.ts'
import { insert, lock, update } from '../../../kit/write/write.ts'
import type { Page } from '../../../model/forms/form-parts.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { checkActions } from '../../../model/surveys/automations/actions.ts'
import { SurveyAutomation } from '../../../model/surveys/automations/automation.ts'
import { checkConditions } from './conditions.ts'
import type { Trigger } from '../../../model/surveys/automations/triggers.ts'
import {
  checkTrigger,
  triggerProperties,
  triggerType,
} from '../../../model/surveys/automations/triggers.ts'

const triggerInput = Type.Object({
  ...triggerProperties,
  type: Type.Optional(triggerType),
})

/** The properties of an automation that a body may set; they are checked against the survey. */
const properties = {
  name: Type.Optional(Type.String({ pattern: '\\S', maxLength: 255 })),
  is_active: Type.Optional(Type.Boolean()),
  position: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description: 'its place among those of the survey, the last one where absent',
    }),
  ),
  trigger: Type.Optional(triggerInput),
  conditions: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 50 })),
  actions: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.Optional(Type.Unknown({ description: 'one of the actions of the options' })),
        config: Type.Optional(Type.Unknown({ description: 'as in the automation options' })),
      }),
      { maxItems: 20 },
    ),
  ),
}

export const changeSchema = Type.Object({
  ...properties,
  trigger: Type.Optional(requiring(triggerInput, 'type')),
})
type Change = Static<typeof changeSchema>

/** One automation in a body: with an `automation_id` it is changed, without one created. */
const oneProperties = {
  automation_id: Type.Optional(orNull(Type.String({ maxLength: 25 }))),
  ...properties,
}
const oneSchema = Type.Object(oneProperties)
export const saveSchema = Type.Object({
  ...oneProperties,
  automations: Type.Optional(Type.Array(oneSchema, { maxItems: 50 })),
})
type One = Static<typeof oneSchema>

/**
 * 400 for keys of a body that are not properties of an automation. The specification's body has the form
 * of a survey, so properties in reads of either are accepted.
 */
export function checkProperties(body: object, at = ''): void {
  const known = [
    ...Object.keys(oneProperties),
    ...Object.keys(SurveyAutomation.fields),
    ...additionsOf(SurveyAutomation),
    ...(at ? [] : ['automations', ...Object.keys(Survey.fields)]),
  ]
  const errors = unknownKeys(body, [...new Set(known)], at)
  if (errors.length) throw badFields(errors)
}

/** The maximum number of automations per survey. */
export const mostOfSurvey = 200

/** Creates or changes one automation of a survey; 400 names what is wrong under the path `at`. */
export async function saveAutomation(
  ctx: Context,
  survey_id: string,
  pages: Page[],
  { automation_id, ...body }: One,
  at = '',
): Promise<Written> {
  if (automation_id) {
    const locked = await lockForSave(ctx, automation_id, `${at}automation_id`)
    if (locked.row.survey_id !== survey_id) {
      throw badField(`${at}automation_id`, 'belongs to another survey')
    }
    return changeAutomation(ctx, locked, pages, body, at)
  }
  requireWholeToken(ctx.actor)
  const { name = 'Automation', is_active = true } = body
  const checked = await checkedParts(ctx, pages, body, at)
  const { n, next } = (await ctx.one<{ n: number; next: number }>(sql`
    select count(*)::int as n, coalesce(max(t.position) + 1, 0) as next from survey_automations t
    where ${mine(ctx)} and t.survey_id = ${survey_id} and t.deleted_at is null`)) ?? {
    n: 0,
    next: 0,
  }
  if (n >= mostOfSurvey) throw badField('automations', `a survey has at most ${mostOfSurvey}`)
  const { position = next } = body
  return insert(ctx, SurveyAutomation, { name, is_active, position, ...checked, survey_id })
}

/** Changes a locked automation. */
export async function changeAutomation(
  ctx: Context,
  locked: LockedRecord<typeof SurveyAutomation>,
  pages: Page[],
  body: Change,
  at = '',
): Promise<Written> {
  const { row } = locked
  const { name, is_active, position, trigger, conditions, actions } = withoutRepeated(row, body)
  const decisive = present({ trigger, conditions, actions })
  const changed = present({ name, is_active, position, ...decisive })
  // one that refers to something deleted can still be renamed or disabled
  const isDecided = Object.keys(decisive).length > 0
  if (isDecided) {
    requireWholeToken(ctx.actor)
    await check(ctx, pages, { ...row, ...decisive }, at)
  }
  // it runs with the rights of the last user who decided what it does
  const set = isDecided ? { created_by: ctx.actor.user_id } : {}
  const patch = changed as Patch<typeof SurveyAutomation>
  return update(ctx, locked, patch, { set })
}

/** The parts of an automation that is not saved, checked; what is absent is as in one that is created. */
export function checkedParts(
  ctx: Context,
  pages: Page[],
  { trigger, conditions = [], actions = [] }: One | Change,
  at: string,
) {
  const whole = { type: 'response_submitted' as const, ...trigger }
  return check(ctx, pages, { trigger: whole, conditions, actions }, at)
}

type Parts = Required<Pick<Change, 'trigger' | 'conditions' | 'actions'>>

/** Checks trigger, conditions and actions against the survey; 400 names the path under `at`. */
async function check(
  ctx: Context,
  pages: Page[],
  { trigger, conditions, actions }: Parts,
  at: string,
) {
  checkTrigger(trigger, pages, `${at}trigger`)
  checkConditions(ctx, conditions, pages, `${at}conditions`)
  return {
    trigger: trigger as Trigger,
    conditions,
    actions: await checkActions(ctx, actions, `${at}actions`),
  }
}

async function lockForSave(ctx: Context, id: string, field: string) {
  try {
    return await lock(ctx, SurveyAutomation, id, 'update')
  } catch (error) {
    if (error instanceof Failure && error.status === 404) throw badField(field, 'no such record')
    throw error
  }
}

/** The members in a body: absent ones do not change the stored values. */
function present<T extends { [name: string]: unknown }>(members: T): Partial<T> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<T>
}
