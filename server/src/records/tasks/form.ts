import type { Context } from '../../kit/ground/context.ts'
import { badRequest, Failure } from '../../kit/ground/errors.ts'
import { equal } from '../../kit/ground/object.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Answers, Page } from '../../model/forms/form-parts.ts'
import { questionsOf } from '../../model/surveys/structure.ts'
import { checkAnswers } from '../../model/surveys/responses/answers.ts'
import { Task } from '../../model/tasks/task.ts'
import { withFiles } from './form-files.ts'
import { idOf } from './place.ts'

type Structure = { [key: string]: unknown }

/**
 * What a form asks now: a task copies it, and takes over later edits only on demand. A concurrent edit
 * waits for the task.
 */
export async function structureOf(ctx: Context, form: unknown): Promise<Structure | undefined> {
  const id = idOf(form, 'survey_id')
  const found = await ctx.one<{ form_structure: Structure }>(sql`
    select t.form_structure - 'endings' as form_structure from surveys t
    where ${mine(ctx)} and t.id = ${String(id)} and t.deleted_at is null for key share`)
  return found?.form_structure
}

type Form = {
  /** its id; files of its answers are attached to it */
  task: string
  structure: Structure | null | undefined
  /** the answers in the body; undefined if it has none */
  responses: Answers | null | undefined
  /** the stored answers, with which those of the body are merged */
  stored?: Answers | null
  isDone: boolean
}

/**
 * The answers of a form task as they are stored: what is calculated comes with them, and those to questions that
 * others hide are none. 400 if they do not fit its questions, or a completed one lacks required ones.
 */
export async function checkForm(
  ctx: Context,
  { task, structure, responses, stored, isDone }: Form,
): Promise<Answers | null | undefined> {
  if (!structure?.pages || (responses === undefined && !isDone)) return responses
  const pages = structure.pages as Page[]
  const ids = new Set(questionsOf(pages).map(({ id }) => id))
  // answers to questions that the form no longer has stay as they are
  const known = Object.entries(responses === null ? {} : (stored ?? {})).filter(([id]) =>
    ids.has(id),
  )
  try {
    const sent: Answers = { ...Object.fromEntries(known), ...responses }
    const checked = checkAnswers(pages, sent, isDone)
    const about = { module_id: Task.number, reference_id: task }
    const whole = responses ? await withFiles(ctx, about, pages, checked) : checked
    if (!responses) return responses
    const hidden = Object.keys(sent).filter((id) => !(id in whole) && !isNone(sent[id]))
    return { ...responses, ...changedOf(whole, sent), ...nothingFor(hidden) }
  } catch (error) {
    throw error instanceof Failure ? ofTask(error) : error
  }
}

/** What is stored otherwise than it was sent. */
function changedOf(whole: Answers, sent: Answers): Answers {
  return Object.fromEntries(Object.entries(whole).filter(([id, value]) => !equal(value, sent[id])))
}

const isNone = (value: unknown) => value === null || value === undefined

function nothingFor(ids: string[]): Answers {
  return Object.fromEntries(ids.map((id) => [id, null]))
}

/** A refusal with the name of the task's field for answers. */
function ofTask({ errors = [] }: Failure): Failure {
  const named = errors.map(({ field, message }) => ({
    field: field.replace(/^answers/, 'form_responses'),
    message,
  }))
  return badRequest(named.map(({ field, message }) => `${field}: ${message}`).join('; '), named)
}
