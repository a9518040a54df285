import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../../kit/ground/errors.ts'
import type { Html } from '../../kit/ground/html-template.ts'
import { html } from '../../kit/ground/html-template.ts'
import type { Voice } from '../../model/languages/language.ts'
import type { SharedText } from '../../records/surveys/responses/share.ts'
import { openResults, readResultsToken, resultsOf } from '../../records/surveys/responses/share.ts'
import type { Runtime } from '../../runtime.ts'
import { onLane, system } from '../../runtime.ts'
import { findOrganization } from '../organization.ts'
import { lookOf, unknownLink } from './look.ts'
import type { Look, Page } from './page.ts'
import { messagePage, sendPage } from './page.ts'
import { visitorContext } from './plugin.ts'

type Linked = { Params: { token: string } }
type Results = Awaited<ReturnType<typeof resultsOf>>
type Question = Results['insights']['questions'][number]

/** Fewer answers have no shares: they would say more than there is. */
const fewest = 5

/** The results of a survey for whoever has their link: they are read, and nothing else. */
export function resultPages(scope: FastifyInstance, runtime: Runtime): void {
  scope.get<Linked>('/results/:token', async (request, reply) => {
    const { status, page } = await shown(onLane(runtime, 'heavy'), request)
    return sendPage(reply, status, page)
  })
}

async function shown(
  runtime: Runtime,
  request: FastifyRequest<Linked>,
): Promise<{ status: number; page: Page }> {
  const visitor = visitorContext(runtime, request)
  const unknown = { status: 404, page: unknownLink(request) }
  const token = readResultsToken(visitor.secrets, request.params.token)
  const organization = token && (await findOrganization(visitor.lookup, token.organization))
  if (!organization) return unknown
  const { reads } = visitor.actAs({ organization, actor: system })
  const [opened, look] = await Promise.all([openResults(reads, token.link), lookOf(reads, request)])
  const { say } = look.voice
  const over = messagePage(say('link.expired'), say('link.expired_text'))
  if (!opened) return { status: 410, page: { look, ...over } }
  const { link, actor } = opened
  if (link.expires_at && new Date(link.expires_at) <= visitor.now()) {
    return { status: 410, page: { look, ...over } }
  }
  try {
    const results = await resultsOf(visitor.actAs({ organization, actor }).reads, link)
    return { status: 200, page: resultsPage(look, results, Object.keys(link.filters).length > 0) }
  } catch (error) {
    // its maker may no longer read them, or what they are restricted to is gone
    if (!(error instanceof Failure) || ![400, 403, 404].includes(error.status)) throw error
    return { status: 410, page: { look, ...over } }
  }
}

function resultsPage(look: Look, { survey, insights, texts }: Results, isPart: boolean): Page {
  const { voice, brand } = look
  const { say } = voice
  const title = say('results.title', { survey: survey.name })
  const { finished_responses: finished, nps_trend } = insights
  return {
    look,
    title,
    main: html`<p class="quiet over">${say('results.by', { organization: brand.name })}</p>
      <h1>${title}</h1>
      ${isPart ? html`<p class="quiet">${say('results.part')}</p>` : ''}
      ${insights.total_responses ? figures(voice, insights) : html`<p>${say('results.none')}</p>`}
      ${nps_trend.length > 1 ? trend(voice, nps_trend) : ''}
      ${finished ? insights.questions.map((each) => question(voice, each, texts.get(each.field_id))) : ''}`,
    style,
  }
}

function figures(voice: Voice, insights: Results['insights']): Html {
  const { say } = voice
  const { finished_responses: finished, completion_rate, nps, nps_low, nps_high, csat } = insights
  const isMany = finished >= fewest
  const range =
    isMany && nps_low !== undefined && nps_high !== undefined
      ? say('results.range', { low: signed(voice, nps_low), high: signed(voice, nps_high) })
      : ''
  const one = (label: string, value: string, note = '') =>
    html`<div>
      <dt>${label}</dt>
      <dd>${value}${note ? html`<small>${note}</small>` : ''}</dd>
    </div>`
  return html`<dl class="figures">
    ${one(say('results.finished'), number(voice, finished))}
    ${isMany ? one(say('results.completion'), percent(voice, completion_rate)) : ''}
    ${nps === null ? '' : one(say('results.nps'), signed(voice, nps), range)}
    ${csat === null || !isMany ? '' : one(say('results.satisfied'), percent(voice, csat))}
  </dl>`
}

function trend(voice: Voice, of: Results['insights']['nps_trend']): Html {
  const { say, language } = voice
  const month = new Intl.DateTimeFormat(language, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return html`<section>
    <h2>${say('results.by_month')}</h2>
    <div class="wide" role="region" aria-label="${say('results.by_month')}" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${say('results.month')}</th>
            <th scope="col">${say('results.promoters')}</th>
            <th scope="col">${say('results.passives')}</th>
            <th scope="col">${say('results.detractors')}</th>
            <th scope="col">NPS</th>
          </tr>
        </thead>
        <tbody>
          ${of.map(
            ({ date, promoters, passives, detractors, nps }) =>
              html`<tr>
                <th scope="row">${month.format(new Date(`${date}T00:00:00Z`))}</th>
                <td>${number(voice, promoters)}</td>
                <td>${number(voice, passives)}</td>
                <td>${number(voice, detractors)}</td>
                <td>${signed(voice, nps)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`
}

function question(voice: Voice, of: Question, texts: SharedText[] = []): Html {
  const { say } = voice
  const { label, type, answered, average, distribution, rows } = of
  const about = [
    say('results.answers', { count: answered }),
    ...(average === null ? [] : [say('results.average', { average: number(voice, average) })]),
  ].join(' · ')
  const counts = (each: Question['distribution']) => bars(voice, each, answered, of)
  return html`<section>
    <h2>${label}</h2>
    <p class="quiet note">${about}</p>
    ${
      type === 'ranking'
        ? ranking(voice, distribution)
        : rows
          ? rows.map(
              (row) =>
                html`<h3>${row.label}</h3>
                  ${counts(row.distribution)}`,
            )
          : distribution.length
            ? counts(distribution)
            : ''
    }
    ${
      texts.length
        ? html`<ul class="texts">
            ${texts.map((each) => quote(voice, each))}
          </ul>`
        : ''
    }
  </section>`
}

function bars(voice: Voice, of: Question['distribution'], total: number, { type }: Question): Html {
  const labelOf = ({ value, label }: Question['distribution'][number]) =>
    type === 'consent' ? voice.say(value ? 'results.agreed' : 'results.not_agreed') : label
  return html`<ul class="bars">
    ${of.map((each) => {
      const share = total ? Math.round((100 * each.count) / total) : 0
      const text =
        total < fewest
          ? number(voice, each.count)
          : `${number(voice, each.count)} · ${percent(voice, share)}`
      return html`<li>
        <span>${labelOf(each)}</span>
        <svg height="8" width="100%" aria-hidden="true">
          <rect width="${share}%" height="8" rx="2" />
        </svg>
        <span>${text}</span>
      </li>`
    })}
  </ul>`
}

function ranking(voice: Voice, of: Question['distribution']): Html {
  const ranked = of
    .flatMap(({ label, average_rank: rank }) => (rank === undefined ? [] : [{ label, rank }]))
    .toSorted((a, b) => a.rank - b.rank)
  return html`<ol>
    ${ranked.map(
      ({ label, rank }) =>
        html`<li>
          ${label}
          <span class="quiet">${voice.say('results.place', { rank: number(voice, rank) })}</span>
        </li>`,
    )}
  </ol>`
}

function quote(voice: Voice, { text, name, nps, at }: SharedText): Html {
  const day = new Intl.DateTimeFormat(voice.language, { dateStyle: 'medium' }).format(new Date(at))
  const by = [nps === null ? '' : String(nps), name ?? voice.say('results.anonymous'), day]
  return html`<li>
    <p class="words">${text}</p>
    <small class="quiet">${by.filter(Boolean).join(' · ')}</small>
  </li>`
}

function number({ language }: Voice, value: number): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value)
}

function percent({ language }: Voice, value: number): string {
  return new Intl.NumberFormat(language, { style: 'percent' }).format(Math.round(value) / 100)
}

function signed({ language }: Voice, value: number): string {
  return new Intl.NumberFormat(language, { signDisplay: 'exceptZero' }).format(Math.round(value))
}

const style = [
  'body { justify-content: flex-start; }',
  'main { max-width: 760px; }',
  '.over { margin: 0 0 4px; font-size: 14px; }',
  '.words { white-space: pre-line; margin: 0; }',
  'section { margin-top: 28px; padding-top: 20px; border-top: 1px solid var(--line); }',
  'section h2 { margin: 0; }',
  'h3 { margin: 12px 0 4px; font-size: 15px; }',
  '.figures { display: flex; flex-wrap: wrap; gap: 16px 32px; margin: 16px 0 0; }',
  '.figures dt { color: var(--quiet); font-size: 14px; }',
  '.figures dd { margin: 0; font-size: 24px; font-weight: 650; }',
  '.figures small { display: block; font-size: 14px; font-weight: 400; color: var(--quiet); }',
  '.note { margin: 4px 0 12px; }',
  '.bars, .texts { margin: 0; padding: 0; list-style: none; }',
  '.bars li { display: grid; grid-template-columns: minmax(80px, 30%) 1fr auto; gap: 12px; align-items: center; padding: 4px 0; }',
  '.bars span:last-child { min-width: 84px; text-align: end; }',
  '.bars svg { fill: var(--accent); }',
  '.texts li { margin: 0 0 8px; padding: 10px 14px; border-radius: 8px; background: var(--ground); }',
  '.wide { overflow-x: auto; margin-top: 8px; }',
  'table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }',
  'th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); text-align: start; font-weight: 400; white-space: nowrap; }',
  'thead th { color: var(--quiet); font-size: 14px; }',
].join('\n')
