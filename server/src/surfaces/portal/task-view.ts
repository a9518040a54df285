import type { Html } from '../../kit/ground/html-template.ts'
import { html } from '../../kit/ground/html-template.ts'
import { textOf } from '../../kit/ground/html.ts'
import type { Known } from '../../model/forms/piping.ts'
import { answersAsked } from '../../model/forms/rules.ts'
import type { Answers, Page as Part } from '../../model/forms/form-parts.ts'
import { inLanguage } from '../../model/forms/translations.ts'
import type { TaskFile } from '../../records/portal/files.ts'
import type { Look, Page } from '../pages/page.ts'
import { question } from '../pages/questions.ts'
import { surveyScript } from '../pages/survey-look.ts'
import { rulesHere, stepsHere, wordsWith } from '../pages/survey-texts.ts'
import { plainWith } from '../../model/forms/piping.ts'
import type { Filed } from './upload-form.ts'
import { portalScript } from './style.ts'
import type { Done, Shown } from './views.ts'
import { uploadForm } from './upload-form.ts'
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
  asks_for_file: boolean
  users: { user_id: string }[]
  form_structure: { pages?: Part[] } | null
  form_responses: Answers | null
}

type Wrong = { [field: string]: string }

/** What was sent and what is wrong with it; `message` for what belongs to no field, `files` for those refused. */
export type Refused = {
  answers?: Answers
  wrong: Wrong
  message?: string | undefined
  files?: string[]
}

/** What is said of a task at its top, and of what was sent. */
type Said = { done?: Done | undefined; refused?: Refused | undefined }

/** The files of a task; each is read at the address that `read` begins, where its reader may go there. */
type Files = { all: TaskFile[]; read?: string }

/** The page of one task: what it is, its form, its files, and more time. */
export function taskPage(
  shown: Shown,
  task: ShownTask,
  { files, known, ...said }: Said & { files: TaskFile[]; known: Known },
): Page {
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
      ${taskMain({ look, me: portal.me, known }, task, {
        ...said,
        files: { all: files, read: '/portal/documents/' },
        action: `/portal/tasks/${task.item_id}`,
      })}
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
  if (!refused || refused.files?.length === 0) return undefined
  return refused.message ?? refused.files?.join(' ') ?? say('survey.wrong')
}

/** A task as whoever it is of sees it, with its form, which is sent to `action`. */
export function taskMain(
  { look, me, known = {} }: { look: Look; me: Reader; known?: Known },
  task: ShownTask,
  { done, refused, action, files }: Said & { action: string; files: Files },
): Html {
  const { say, day } = look.voice
  const answers = refused?.answers ?? task.form_responses ?? {}
  const failure = failureOf(look, refused)
  const isForm = hasQuestions(task)
  const isOpen = isOpenFor(me, task)
  // what a task asks for first stands first
  const own = isOpen || files.all.length ? filesCard(look, task, { files, action, isOpen }) : ''
  const fields = task.form_structure?.pages?.flatMap((part) => part.fields) ?? []
  const isFirst = task.asks_for_file || fields.some(({ type }) => type === 'file')
  const isMain = !task.asks_for_file || files.all.some(({ is_mine }) => is_mine)
  return html`${notice(look, done, action)}
    <h1>${task.title}</h1>
    <p class="lead">
      ${task.is_completed ? say('portal.done') : task.due_date ? say('portal.due', { date: day(task.due_date) }) : say('portal.no_date')}
    </p>
    ${task.description ? html`<p class="words">${textOf(task.description)}</p>` : ''}
    ${failure ? html`<p class="wrong" role="alert">${failure}</p>` : ''}
    ${isFirst || !isOpen ? own : ''}
    ${
      isOpen
        ? html`<form class="card" method="post" action="${action}" data-survey novalidate>
              ${formOf(look, task, { answers, wrong: refused?.wrong ?? {}, known, files: files.all })}
              <div class="actions">
                <button
                  class="${isMain ? 'main' : ''}"
                  name="act"
                  value="${isForm ? 'send' : 'done'}"
                >
                  ${say(isForm ? 'survey.send' : 'portal.mark_done')}
                </button>
                ${isForm ? html`<button name="act" value="save">${say('portal.save')}</button>` : ''}
              </div>
            </form>
            ${isFirst ? '' : own} ${moreTime(look, action, refused)}`
        : ''
    }`
}

/** All questions of a task's form, in the reader's language if it has that; files are chosen from those of the task. */
function formOf(
  look: Look,
  task: ShownTask,
  sent: { answers: Answers; wrong: Wrong; known: Known; files: TaskFile[] },
): Html {
  const { known, wrong, files } = sent
  const { language } = look.voice
  const { pages: parts } = inLanguage({ pages: task.form_structure?.pages ?? [] }, language)
  const here = new Set(parts.flatMap((part) => part.fields.map(({ id }) => id)))
  const answers = { ...sent.answers, ...answersAsked(parts, sent.answers) }
  const about = { parts, here, answers, known }
  const words = wordsWith(about)
  return html`${parts.map((part) => {
    const ofPage = rulesHere(part.show_if ?? [], about) ?? []
    const title = part.title ? plainWith(about, part.title) : undefined
    const marks = ofPage.length ? html`data-section data-show-if="${JSON.stringify(ofPage)}"` : ''
    return html`${title ? html`<h2 ${marks}>${title}</h2>` : ''}
    ${part.fields.map((field) => {
      const rules = [...ofPage, ...(rulesHere(field.show_if ?? [], about) ?? [])]
      const steps = field.type === 'calculated' ? stepsHere(field, about) : undefined
      const placed = { words, rules, steps, files: files.filter(({ is_mine }) => is_mine) }
      return question(look.voice, field, answers[field.id], wrong[field.id], placed)
    })}`
  })}`
}

/** The files of a task, and the form that takes more. */
function filesCard(
  { voice: { say } }: Look,
  { asks_for_file }: ShownTask,
  { files: { all, read }, action, isOpen }: { files: Files; action: string; isOpen: boolean },
): Html {
  const isAsked = asks_for_file && !all.some(({ is_mine }) => is_mine)
  return html`<section class="card" id="files">
    <h2>${say('portal.files')}</h2>
    ${
      all.length
        ? html`<ul class="rows">
            ${all.map(
              ({ id, name, is_mine }) =>
                html`<li>
                  <div class="what">
                    ${read ? html`<a href="${read}${id}">${name}</a>` : html`<strong>${name}</strong>`}
                  </div>
                  ${
                    is_mine && isOpen
                      ? html`<form method="post" action="${action}/files">
                          <input type="hidden" name="file" value="${id}" />
                          <button name="act" value="remove">
                            ${say('portal.remove')}<span class="unseen">: ${name}</span>
                          </button>
                        </form>`
                      : ''
                  }
                </li>`,
            )}
          </ul>`
        : ''
    }
    ${isOpen ? uploadForm(say, { action, isMain: isAsked }) : ''}
  </section>`
}

/** What the page says of files that were handed in or taken back. */
export function filedOf(
  { voice: { say } }: Look,
  { added, removed }: Pick<Filed, 'added' | 'removed' | 'refused'>,
): Done | undefined {
  if (removed) return { text: say('portal.file_removed'), file: removed }
  return added ? { text: say('portal.uploaded') } : undefined
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
