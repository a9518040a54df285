import { html } from '../../kit/ground/html-template.ts'
import { textOf } from '../../kit/ground/html.ts'
import { isVisible } from '../../model/surveys/responses/answers.ts'
import type { Answers, Page as Part } from '../../model/surveys/structure.ts'
import type { Page } from '../pages/page.ts'
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

/** The page of one task: what it is, its form, and more time. */
export function taskPage(
  shown: Shown,
  task: ShownTask,
  { done, refused }: { done?: Done | undefined; refused?: Refused | undefined } = {},
): Page {
  const { look, portal } = shown
  const { say, day } = look.voice
  const { me } = portal
  const isMine = task.owner?.user_id === me.id || task.users.some((each) => each.user_id === me.id)
  const parts = task.form_structure?.pages ?? []
  const answers = refused?.answers ?? task.form_responses ?? {}
  const isOpen = isMine && !task.is_completed
  const failure = refused && (refused.message ?? say('survey.wrong'))
  const fields = parts.flatMap((part) => part.fields)
  return portalPage(shown, {
    title: failure ? say('page.error', { message: failure }) : task.title,
    at: '',
    script: fields.length && isOpen ? `${surveyScript}${portalScript}` : portalScript,
    main: html`<div class="narrow">
      ${notice(shown, done)}
      <p>
        <a href="/portal${task.project_id ? `?project=${task.project_id}` : ''}"
          >${say('portal.back')}</a
        >
      </p>
      <h1>${task.title}</h1>
      <p class="lead">
        ${task.is_completed ? say('portal.done') : task.due_date ? say('portal.due', { date: day(task.due_date) }) : say('portal.no_date')}
      </p>
      ${task.description ? html`<p class="words">${textOf(task.description)}</p>` : ''}
      ${failure ? html`<p class="wrong" role="alert">${failure}</p>` : ''}
      ${
        isOpen
          ? html`<form
                class="card"
                method="post"
                action="/portal/tasks/${task.item_id}"
                data-survey
                novalidate
              >
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
                  <button class="main" name="act" value="${fields.length ? 'send' : 'done'}">
                    ${say(fields.length ? 'survey.send' : 'portal.mark_done')}
                  </button>
                  ${fields.length ? html`<button name="act" value="save">${say('portal.save')}</button>` : ''}
                </div>
              </form>
              ${moreTime(shown, task, refused)}`
          : ''
      }
    </div>`,
  })
}

function moreTime({ look }: Shown, task: ShownTask, refused: Refused | undefined) {
  const { say } = look.voice
  const wrong = refused?.wrong.date
  return html`<section class="card" id="more-time">
    <h2>${say('portal.more_time')}</h2>
    <form method="post" action="/portal/tasks/${task.item_id}">
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
