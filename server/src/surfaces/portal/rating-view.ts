import { html } from '../../kit/ground/html-template.ts'
import type { RatedMilestone } from '../../records/portal/ratings.ts'
import type { Page } from '../pages/page.ts'
import type { RefusedRating } from './rating-form.ts'
import { ratingForm } from './rating-form.ts'
import { portalScript } from './style.ts'
import type { Shown } from './views.ts'
import { portalPage } from './views.ts'

/** The page on which one completed milestone is rated. */
export function ratingPage(shown: Shown, milestone: RatedMilestone, refused?: RefusedRating): Page {
  const { look } = shown
  const { say } = look.voice
  const { id, name, project_id, is_answered } = milestone
  return portalPage(shown, {
    title: refused ? say('page.error', { message: refused.failure }) : name,
    at: '',
    script: portalScript,
    main: html`<div class="narrow">
      <p><a href="/portal?project=${project_id}">${say('portal.back')}</a></p>
      <h1>${name}</h1>
      ${
        is_answered
          ? html`<p class="lead">${say('portal.rated_before')}</p>`
          : html`<p class="lead">${say('portal.rate_ask')}</p>
              <section class="card">${ratingForm(look, id, refused)}</section>`
      }
    </div>`,
  })
}
