import { html } from '../../kit/ground/html-template.ts'
import { isVisible } from '../../model/surveys/responses/answers.ts'
import type { Answers, FormField, Page as Part } from '../../model/surveys/structure.ts'
import type { StoredSurvey } from '../../model/surveys/survey.ts'
import type { Look } from './page.ts'
import type { Page } from './page.ts'
import { question } from './questions.ts'
import { surveyScript, surveyStyle } from './survey-look.ts'

/** The errors in the answers of a page, by question. */
export type Failures = { [field_id: string]: string }

/** A survey as its link shows it; `start`, a token, if the form starts a new response. */
export type Shown = {
  survey: StoredSurvey
  parts: Part[]
  token: string
  start: string | undefined
  look: Look
  /** the answers so far, of a preview, which stores none */
  carried?: Answers
}

/** The progress of a form, and its errors. */
export type Filled = { index: number; answers: Answers; failures?: Failures }

/** One page of a survey as a form. */
export function formPage(
  { survey, parts, token, start, look, carried }: Shown,
  { index, answers, failures = {} }: Filled,
): Page {
  const part = parts[index]!
  const { voice, brand } = look
  const { say } = voice
  // questions that depend on earlier pages are decided here, those that depend on this page by the script
  const ids = new Set(part.fields.map(({ id }) => id))
  const isShown = ({ show_if = [], ...field }: FormField) =>
    isVisible({ ...field, show_if: show_if.filter(({ field_id }) => !ids.has(field_id)) }, answers)
  const wrong = Object.keys(failures).length
  const isLong = parts.length > 1
  const at = say('survey.page', { page: index + 1, pages: parts.length })
  const heading = part.title || (isLong ? say('survey.page_title', { page: index + 1 }) : '')
  const title = `${survey.name}${isLong ? ` (${at})` : ''}`
  return {
    look,
    title: wrong ? say('page.error', { message: title }) : title,
    main: html`<p class="quiet over">${say('survey.by', { organization: brand.name })}</p>
      <h1>${survey.name}</h1>
      ${index === 0 && survey.description ? html`<p class="quiet words">${survey.description}</p>` : ''}
      ${
        index === 0 && survey.end_date
          ? html`<p class="quiet">
              ${say('survey.until', { date: voice.instant(survey.end_date) })}
            </p>`
          : ''
      }
      ${
        parts.length > 1
          ? html`<p class="quiet">
              ${at}
              <progress value="${index}" max="${parts.length}" aria-hidden="true"></progress>
            </p>`
          : ''
      }
      ${wrong ? html`<p class="wrong" role="alert">${say('survey.wrong')}</p>` : ''}
      ${heading ? html`<h2>${heading}</h2>` : ''}
      <form method="post" action="/s/${token}" novalidate data-survey>
        <input type="hidden" name="page" value="${index}" />
        ${part.fields.filter(isShown).map((field) => question(voice, field, answers[field.id], failures[field.id]))}
        ${start ? html`<input type="hidden" name="start" value="${start}" />` : ''}
        ${carried ? html`<input type="hidden" name="carried" value="${JSON.stringify(carried)}" />` : ''}
        <div class="actions">
          ${index > 0 ? html`<button name="go" value="back" formnovalidate>${say('survey.back')}</button>` : ''}
          <button class="main" name="go" value="next">
            ${say(index === parts.length - 1 ? 'survey.send' : 'survey.next')}
          </button>
        </div>
      </form>`,
    style: surveyStyle(survey),
    script: surveyScript,
    background: survey.background_url,
  }
}
