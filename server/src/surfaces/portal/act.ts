import type { FastifyRequest } from 'fastify'
import type { Context } from '../../kit/ground/context.ts'
import { isDay } from '../../kit/ground/dates.ts'
import { badField, Failure } from '../../kit/ground/errors.ts'
import { escapeHtml } from '../../kit/ground/html.ts'
import type { Upload } from '../../kit/ground/files.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { Answer, Json } from '../../kit/ground/operation.ts'
import { checkStorable } from '../../kit/record/validate.ts'
import { today } from '../../model/time/dates.ts'
import { filesOfTask } from '../../records/portal/files.ts'
import { knownOfCaller } from '../../records/surveys/respondent.ts'
import { interactions } from '../../records/interactions/operations.ts'
import { tasks } from '../../records/tasks/operations.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import { readingContext } from '../../runtime.ts'
import { failureText } from '../pages/look.ts'
import type { Look } from '../pages/page.ts'
import { formOf } from '../pages/plugin.ts'
import { answersIn } from '../pages/questions.ts'
import { perform } from '../perform.ts'
import type { Refused, ShownTask } from './task-view.ts'

/** An operation, the record and the file in its path, and what a form sent for it. */
type Asked = { operation: Operation; id?: string; file?: string; body?: unknown; upload?: Upload }

/** Runs an operation as the application surface does, with what a form sent as its body. */
export function runAs<T>(
  runtime: Runtime,
  who: Caller,
  request: FastifyRequest,
  { operation, id, file, body, upload }: Asked,
): Promise<T> {
  const { headers, url, ip, raw: message } = request
  const params = { ...(id ? { id } : {}), ...(file ? { file } : {}) }
  const sent = { params, query: {}, body, upload, headers, url, ip, raw: message }
  return perform(
    runtime,
    { caller: who, operation, sent },
    {
      answer: async (result) => {
        const read = result instanceof Answer ? result.body : result
        return (read instanceof Json ? JSON.parse(read.text) : read) as T
      },
    },
  )
}

/** What an operation read; undefined for what is not there or not theirs. */
export async function found<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Failure && [400, 403, 404].includes(error.status)) return undefined
    throw error
  }
}

/** What a task's form asked for and is done. */
export type Act = 'done' | 'send' | 'save' | 'open' | 'more-time'

/** What came of a form: its act, or why it is refused, with what was sent. */
export type Outcome = { act: Act } | { refused: Refused; status: number }

/**
 * Does what the form of a task's page asks: done, open again, answers in part or whole, or more time. `look` is read
 * where something is said of it.
 */
export async function actOnTask(
  runtime: Runtime,
  who: Caller,
  request: FastifyRequest,
  { task, look }: { task: ShownTask; look: () => Promise<Look> },
): Promise<Outcome> {
  const { act = 'done' } = formOf(request)
  const fields = (task.form_structure?.pages ?? []).flatMap((part) => part.fields)
  const answers = answersIn((request.body ?? {}) as { [name: string]: unknown }, fields)
  checkStorable(answers)
  const sends = act === 'send' || act === 'save'
  try {
    if (act === 'more-time') {
      await askForTime(runtime, who, request, { task, look: await look() })
      return { act }
    }
    await runAs(runtime, who, request, {
      operation: tasks.update,
      id: task.item_id,
      body: {
        ...(sends ? { form_responses: answers } : {}),
        ...(act === 'save' ? {} : { is_completed: act !== 'open' }),
      },
    })
    return { act: sends || act === 'open' ? act : 'done' }
  } catch (error) {
    if (!(error instanceof Failure) || ![400, 403, 409].includes(error.status)) throw error
    const refused = refusedIn(await look(), error, sends ? answers : undefined)
    return { status: error.status, refused }
  }
}

/** Tells the team, in the conversation of the task, until when its owner needs. */
async function askForTime(
  runtime: Runtime,
  who: Caller,
  request: FastifyRequest,
  { task, look }: { task: ShownTask; look: Look },
): Promise<void> {
  const { date = '', reason = '' } = formOf(request)
  const { say, day } = look.voice
  if (!isDay(date) || date < today(readingContext(runtime, who))) {
    throw badField('date', say('portal.choose_day'))
  }
  const text = [say('portal.asks_time', { date: day(date) }), reason.trim()].filter(Boolean)
  await runAs(runtime, who, request, {
    operation: interactions.create,
    body: { module_name: 'tasks', reference_id: task.item_id, content: asHtml(text.join('\n')) },
  })
}

/** What was typed, as HTML that shows exactly that. */
export function asHtml(text: string): string {
  return escapeHtml(text.trim()).replaceAll(/\r?\n/g, '<br>')
}

/** What is wrong with a form, in the reader's language where we have words for it. */
function refusedIn({ voice }: Look, failure: Failure, answers: Refused['answers']): Refused {
  const wrong: Refused['wrong'] = {}
  let message: string | undefined
  for (const { field, message: text } of failure.errors ?? []) {
    const name = field.replace(/^form_responses\./, '')
    wrong[name] =
      voice.language === 'en' || field === 'date'
        ? text
        : voice.say(text === 'is required' ? 'survey.missing' : 'survey.wrong')
  }
  if (!Object.keys(wrong).length) message = failureText(voice, failure.message)
  return { wrong, message, ...(answers ? { answers } : {}) }
}

/** The files of a task that its reader may read, and what its form says of them. */
export async function aboutTask(ctx: Context, { item_id, form_structure }: ShownTask) {
  const files = await filesOfTask(ctx, item_id)
  return { files, known: await knownOfCaller(ctx, form_structure?.pages ?? []) }
}
