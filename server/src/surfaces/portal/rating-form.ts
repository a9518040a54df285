import type { Html } from '../../kit/ground/html-template.ts'
import { html } from '../../kit/ground/html-template.ts'
import { mostWords } from '../../records/portal/ratings.ts'
import type { Look } from '../pages/page.ts'
import { question } from '../pages/questions.ts'

/** What was sent with the form of a rating, and what is wrong with it. */
export type RefusedRating = { rating: string; words: string; failure: string }

/** The form with which a completed milestone is rated, or put off. */
export function ratingForm({ voice }: Look, id: string, refused?: RefusedRating): Html {
  const { say } = voice
  const score = {
    id: 'rating',
    type: 'csat' as const,
    label: say('portal.rate_score'),
    required: true,
  }
  return html`<form method="post" action="/portal/milestones/${id}">
    ${question(voice, score, refused?.rating, refused?.failure)}
    <label for="words">${say('portal.rate_words')}</label>
    <textarea id="words" name="words" maxlength="${mostWords}" rows="2">
${refused?.words ?? ''}</textarea>
    <p class="note">${say('portal.rate_who')}</p>
    <div class="actions">
      <button class="main" name="act" value="send">${say('portal.send')}</button>
      <button name="act" value="later" formnovalidate>${say('portal.rate_later')}</button>
    </div>
  </form>`
}
