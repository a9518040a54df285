import type { Html } from '../../kit/ground/html-template.ts'
import { html } from '../../kit/ground/html-template.ts'
import type { Language } from '../../model/languages/language.ts'
import type { Known } from '../../model/forms/piping.ts'
import { plainWith } from '../../model/forms/piping.ts'
import { isVisible } from '../../model/forms/rules.ts'
import type { Answers, Page as Part } from '../../model/forms/form-parts.ts'
import { conditionsOf } from '../../model/forms/form-parts.ts'
import type { StoredSurvey } from '../../model/surveys/survey.ts'
import type { Look } from './page.ts'
import type { Page } from './page.ts'
import { question } from './questions.ts'
import { surveyScript, surveyStyle } from './survey-look.ts'
import { rulesHere, stepsHere, wordsWith } from './survey-texts.ts'

/** The errors in the answers of a page, by question. */
export type Failures = { [field_id: string]: string }

/** A survey as its link shows it; `start`, a token, if the form starts a new response. */
export type Shown = {
  survey: StoredSurvey
  parts: Part[]
  token: string
  start: string | undefined
  look: Look
  /** the languages to choose from, if there are several */
  languages: Language[]
  /** the language that was chosen, which the next page has, too */
  lang: Language | undefined
  /** who answers, as far as the link says */
  known: Known
  /** the state of the response that it is shown with, which what is stored on leaving must find */
  seen?: string
  /** the answers so far, of a preview, which stores none */
  carried?: Answers
}

/** The progress of a form, with the answers to what is asked, and its errors. */
export type Filled = { index: number; answers: Answers; failures?: Failures }

/** One page of a survey as a form. */
export function formPage(
  { survey, parts, token, start, look, languages, lang, known, seen, carried }: Shown,
  { index, answers, failures = {} }: Filled,
): Page {
  const part = parts[index]!
  const { voice, brand } = look
  const { say } = voice
  // questions that depend on earlier pages are decided here, those that depend on this page by the script
  const here = new Set(part.fields.map(({ id }) => id))
  const about = { parts, here, answers, known }
  const words = wordsWith(about)
  const wrong = Object.keys(failures).length
  const shown = parts.filter((each) => each === part || isVisible(each, answers))
  const [page, pages] = [shown.indexOf(part), shown.length]
  const isLong = parts.length > 1
  const at = say('survey.page', { page: page + 1, pages })
  const title_words = part.title ? plainWith(about, part.title) : undefined
  const heading = title_words || (isLong ? say('survey.page_title', { page: page + 1 }) : '')
  const later = parts.slice(index + 1)
  const mayGoOn = later.some((each) => isVisible(each, answers) || dependsOn(each, here))
  const hasFiles = part.fields.some(({ type }) => type === 'file')
  const title = `${survey.name}${isLong ? ` (${at})` : ''}`
  return {
    look,
    title: wrong ? say('page.error', { message: title }) : title,
    main: html`${languages.length > 1 ? languageChoice(languages, voice.language, say('survey.languages')) : ''}
      <p class="quiet over">${say('survey.by', { organization: brand.name })}</p>
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
              <progress value="${page}" max="${pages}" aria-hidden="true"></progress>
            </p>`
          : ''
      }
      ${wrong ? html`<p class="wrong" role="alert">${say('survey.wrong')}</p>` : ''}
      ${heading ? html`<h2>${heading}</h2>` : ''}
      <form
        id="answers"
        method="post"
        action="/s/${token}${lang ? `?lang=${lang}` : ''}"
        novalidate
        data-survey
        ${carried ? '' : html`data-keeps`}
        ${hasFiles ? html`enctype="multipart/form-data"` : ''}
      >
        <input type="hidden" name="page" value="${index}" />
        ${part.fields.map((field) => {
          const rules = rulesHere(field.show_if ?? [], about)
          const steps = field.type === 'calculated' ? stepsHere(field, about) : undefined
          const placed = { words, rules, steps }
          return rules && question(voice, field, answers[field.id], failures[field.id], placed)
        })}
        ${seen ? html`<input type="hidden" name="seen" value="${seen}" />` : ''}
        ${start ? html`<input type="hidden" name="start" value="${start}" />` : ''}
        ${carried ? html`<input type="hidden" name="carried" value="${JSON.stringify(carried)}" />` : ''}
        <div class="actions">
          ${page > 0 ? html`<button name="go" value="back" formnovalidate>${say('survey.back')}</button>` : ''}
          <button class="main" name="go" value="next">
            ${say(mayGoOn ? 'survey.next' : 'survey.send')}
          </button>
        </div>
      </form>`,
    style: surveyStyle(survey),
    script: surveyScript,
    asks: true,
    background: survey.background_url,
  }
}

/** Whether a later page may come of what is answered on this one. */
function dependsOn(page: Part, here: ReadonlySet<string>): boolean {
  return conditionsOf(page).some(({ field_id }) => here.has(field_id))
}

/** The names of languages, each in itself; what is typed goes along. */
function languageChoice(languages: Language[], chosen: Language, label: string): Html {
  return html`<p class="languages" role="group" aria-label="${label}">
    ${languages.map(
      (language) =>
        html`<button
          form="answers"
          name="go"
          value="lang-${language}"
          lang="${language}"
          formnovalidate
          ${language === chosen ? html`aria-current="true"` : ''}
        >
          ${nameOf(language)}
        </button>`,
    )}
  </p>`
}

function nameOf(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
