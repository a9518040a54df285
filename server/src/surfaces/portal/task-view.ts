import type { Html } from '../../kit/ground/html-template.ts'
import { html } from '../../kit/ground/html-template.ts'
import { textOf } from '../../kit/ground/html.ts'
import { isVisible } from '../../model/surveys/responses/answers.ts'
import type { Answers, Page as Part } from '../../model/surveys/structure.ts'
import type { Look, Page } from '../pages/page.ts'
import { question } from '../pages/questions.ts'
import { surveyScript } from '../pages/survey-look.ts'
import { portalScript } from './style.ts'
import type { Done, Shown } from './views.ts'
import { notice, portalPage } from './views.ts'

/** A task as its read shows it, as far as its page needs it. */
export type ShownTask = {
  item_id: string
  title: string
  description: string | null
  due_date: string | null
  is_completed: boolean
  project_id: string | null
  owner: { user_id: string } | null
  users: { user_id: string }[]
  form_structure: { pages?: Part[] } | null
  form_responses: Answers | null
}

type Wrong = { [field: string]: string }

/** What was sent and what is wrong with it; `message` for what belongs to no field. */
export type Refused = { answers?: Answers; wrong: Wrong; message?: string | undefined }

/** What is said of a task at its top, and of what was sent. */
type Said = { done?: Done | undefined; refused?: Refused | undefined }

/** The page of one task: what it is, its form, and more time. */
export function taskPage(shown: Shown, task: ShownTask, said: Said = {}): Page {
  const { look, portal } = shown
  const { say } = look.voice
  const failure = failureOf(look, said.refused)
  const isForm = hasQuestions(task) && isOpenFor(portal.me, task)
  return portalPage(shown, {
    title: failure ? say('page.error', { message: failure }) : task.title,
    at: '',
    script: isForm ? `${surveyScript}${portalScript}` : portalScript,
    main: html`<div class="narrow">
      <p>
        <a href="/portal${task.project_id ? `?project=${task.project_id}` : ''}"
          >${say('portal.back')}</a
        >
      </p>
      ${taskMain({ look, me: portal.me }, task, { ...said, action: `/portal/tasks/${task.item_id}` })}
    </div>`,
  })
}

/** Whether a task has a form to be answered. */
export function hasQuestions({ form_structure }: ShownTask): boolean {
  return (form_structure?.pages ?? []).some((part) => part.fields.length > 0)
}

type Reader = { id: string }

function isOpenFor(me: Reader, { owner, users, is_completed }: ShownTask): boolean {
  const isMine = owner?.user_id === me.id || users.some((each) => each.user_id === me.id)
  return isMine && !is_completed
}

function failureOf({ voice: { say } }: Look, refused: Refused | undefined): string | undefined {
  return refused && (refused.message ?? say('survey.wrong'))
}

/** A task as whoever it is of sees it, with its form, which is sent to `action`. */
export function taskMain(
  { look, me }: { look: Look; me: Reader },
  task: ShownTask,
  { done, refused, action }: Said & { action: string },
): Html {
  const { say, day } = look.voice
  const parts = task.form_structure?.pages ?? []
  const answers = refused?.answers ?? task.form_responses ?? {}
  const failure = failureOf(look, refused)
  const isForm = hasQuestions(task)
  return html`${notice(look, done, action)}
    <h1>${task.title}</h1>
    <p class="lead">
      ${task.is_completed ? say('portal.done') : task.due_date ? say('portal.due', { date: day(task.due_date) }) : say('portal.no_date')}
    </p>
    ${task.description ? html`<p class="words">${textOf(task.description)}</p>` : ''}
    ${failure ? html`<p class="wrong" role="alert">${failure}</p>` : ''}
    ${
      isOpenFor(me, task)
        ? html`<form class="card" method="post" action="${action}" data-survey novalidate>
              ${parts.map(
                (part) =>
                  html`${part.title ? html`<h2>${part.title}</h2>` : ''}
                  ${part.fields
                    .filter((field) => field.type !== 'statement' || isVisible(field, answers))
                    .map((field) =>
                      question(look.voice, field, answers[field.id], refused?.wrong[field.id]),
                    )}`,
              )}
              <div class="actions">
                <button class="main" name="act" value="${isForm ? 'send' : 'done'}">
                  ${say(isForm ? 'survey.send' : 'portal.mark_done')}
                </button>
                ${isForm ? html`<button name="act" value="save">${say('portal.save')}</button>` : ''}
              </div>
            </form>
            ${moreTime(look, action, refused)}`
        : ''
    }`
}

function moreTime({ voice: { say } }: Look, action: string, refused: Refused | undefined): Html {
  const wrong = refused?.wrong.date
  return html`<section class="card" id="more-time">
    <h2>${say('portal.more_time')}</h2>
    <form method="post" action="${action}">
      <label for="date">${say('portal.until')}</label>
      <input
        id="date"
        name="date"
        type="date"
        required
        ${wrong ? html`aria-invalid="true" aria-describedby="date-wrong"` : ''}
      />
      ${wrong ? html`<p class="wrong" id="date-wrong">${wrong}</p>` : ''}
      <label for="reason">${say('portal.why')}</label>
      <textarea id="reason" name="reason" maxlength="2000" rows="2"></textarea>
      <div class="actions">
        <button name="act" value="more-time">${say('portal.ask')}</button>
      </div>
    </form>
  </section>`
}
