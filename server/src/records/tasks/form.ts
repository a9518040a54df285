import type { Context } from '../../kit/ground/context.ts'
import { badRequest, Failure } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Answers, Page } from '../../model/surveys/structure.ts'
import { questionsOf } from '../../model/surveys/structure.ts'
import { checkAnswers } from '../../model/surveys/responses/answers.ts'
import { idOf } from './place.ts'

type Structure = { [key: string]: unknown }

/**
 * The current structure of a form: a task copies it, and takes over later edits only on demand. A concurrent edit
 * waits for the task.
 */
export async function structureOf(ctx: Context, form: unknown): Promise<Structure | undefined> {
  const id = idOf(form, 'survey_id')
  const found = await ctx.one<{ form_structure: Structure }>(sql`
    select t.form_structure from surveys t
    where ${mine(ctx)} and t.id = ${String(id)} and t.deleted_at is null for key share`)
  return found?.form_structure
}

type Form = {
  structure: Structure | null | undefined
  /** the answers in the body; undefined if it has none */
  responses: Answers | null | undefined
  /** the stored answers, with which those of the body are merged */
  stored?: Answers | null
  isDone: boolean
}

/** 400 if the answers of a form task do not fit its questions, or a completed one lacks required ones. */
export function checkForm({ structure, responses, stored, isDone }: Form) {
  if (!structure?.pages || (responses === undefined && !isDone)) return
  const pages = structure.pages as Page[]
  const ids = new Set(questionsOf(pages).map(({ id }) => id))
  // answers to questions that the form no longer has stay as they are
  const known = Object.entries(responses === null ? {} : (stored ?? {})).filter(([id]) =>
    ids.has(id),
  )
  try {
    checkAnswers(pages, { ...Object.fromEntries(known), ...responses }, isDone)
  } catch (error) {
    throw error instanceof Failure ? ofTask(error) : error
  }
}

/** A refusal with the name of the task's field for answers. */
function ofTask({ errors = [] }: Failure): Failure {
  const named = errors.map(({ field, message }) => ({
    field: field.replace(/^answers/, 'form_responses'),
    message,
  }))
  return badRequest(named.map(({ field, message }) => `${field}: ${message}`).join('; '), named)
}
