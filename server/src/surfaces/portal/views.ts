import type { Html } from '../../kit/ground/html-template.ts'
import { html } from '../../kit/ground/html-template.ts'
import { webAddress } from '../../kit/ground/web-address.ts'
import { languages } from '../../model/languages/language.ts'
import type { Portal, PortalProject, Waiting } from '../../records/portal/shape.ts'
import type { Voice } from '../../model/languages/language.ts'
import type { Look, Page } from '../pages/page.ts'
import { head } from '../pages/page.ts'
import { previewBar } from './preview.ts'
import { ratingForm } from './rating-form.ts'
import { portalScript, portalStyle } from './style.ts'
import { uploadForm } from './upload-form.ts'

/** What every page of the portal knows: who looks at it, and in which language. */
export type Shown = {
  look: Look
  portal: Portal
  /** the language of an administrator who looks at it as somebody else */
  viewer?: Voice
}

/** What was just done, which the next page says. */
export type Done = {
  text: string
  /** the task that is opened again */
  undo?: string
  /** the file that is handed in again */
  file?: string
}

/** A page of the portal, with its bar, and its navigation on phones. */
export function portalPage(
  { look, portal, viewer }: Shown,
  { title, main, at, script }: { title: string; main: Html; at: string; script?: string },
): Page {
  return {
    look,
    title,
    style: portalStyle,
    script: script ?? portalScript,
    asks: true,
    bar: bar({ look, portal }),
    main: html`${viewer ? previewBar(viewer, portal.me.name, portal.project?.id) : ''} ${main}
    ${foot({ look, portal }, at)}`,
  }
}

function bar({ look, portal }: Shown): Html {
  const { say, language } = look.voice
  const own = new Intl.DisplayNames(language, { type: 'language' })
  return html`<a class="brand" href="/portal">${head(look)}</a>
    ${
      portal.projects.length > 1
        ? html`<form method="get" action="/portal">
            <label for="project">${say('portal.project')}</label>
            <select id="project" name="project" data-at-once>
              ${portal.projects.map(
                ({ id, name }) =>
                  html`<option value="${id}" ${id === portal.project?.id ? html`selected` : ''}>
                    ${name}
                  </option>`,
              )}
            </select>
            <button>${say('portal.choose')}</button>
          </form>`
        : ''
    }
    <span class="space"></span>
    <form method="post" action="/portal/me">
      <label for="language">${say('portal.language')}</label>
      <select id="language" name="language" data-at-once>
        ${languages.map(
          (each) =>
            html`<option value="${each}" lang="${each}" ${each === language ? html`selected` : ''}>
              ${new Intl.DisplayNames(each, { type: 'language' }).of(each) ?? own.of(each)}
            </option>`,
        )}
      </select>
      <button>${say('portal.choose')}</button>
    </form>
    <details>
      <summary>${portal.me.name}</summary>
      <div>
        <a href="/settings">${say('portal.settings')}</a>
        <form method="post" action="/portal/overview">
          <button name="weekly" value="${portal.me.has_overview ? 'off' : 'on'}">
            ${say(portal.me.has_overview ? 'overview.stop' : 'portal.overview')}
          </button>
        </form>
        <form method="post" action="/portal/sign-out">
          <button>${say('portal.sign_out')}</button>
        </form>
      </div>
    </details>`
}

function foot({ look, portal }: Shown, at: string): Html {
  const { say } = look.voice
  const { project } = portal
  if (!project) return html``
  const home = `/portal?project=${project.id}`
  const places = [
    { at: 'home', href: home, label: say('portal.home') },
    { at: 'project', href: `/portal/projects/${project.id}`, label: say('portal.project') },
    { at: 'documents', href: `${home}#documents`, label: say('portal.documents') },
    { at: 'messages', href: `${home}#conversation`, label: say('portal.messages') },
  ]
  return html`<nav class="foot" aria-label="${say('portal.title')}">
    ${places.map(
      (each) =>
        html`<a href="${each.href}" ${each.at === at ? html`aria-current="page"` : ''}>
          ${each.label}
        </a>`,
    )}
  </nav>`
}

/** The first page: what waits, how far the project is, and whom to talk to. */
export function homePage(shown: Shown, done: Done | undefined, failure?: string): Page {
  const { look, portal } = shown
  const { say, day } = look.voice
  const { project, next } = portal
  const [first, ...others] = next
  if (!project && !first) {
    const text = say('portal.no_project_text', { organization: portal.organization.name })
    const main = html`<h1>${say('portal.no_project')}</h1>
      <p class="lead">${text}</p>`
    return portalPage(shown, { title: say('portal.no_project'), main, at: 'home' })
  }
  const title = project?.name ?? say('portal.title')
  return portalPage(shown, {
    title: failure ? say('page.error', { message: failure }) : title,
    at: 'home',
    main: html`${notice(look, done)}
      <h1>${title}</h1>
      ${project?.go_live ? html`<p class="lead">${say('portal.go_live', { date: day(project.go_live) })}</p>` : html`<p class="lead"></p>`}
      <div class="columns">
        <div>
          ${first ? nextCard(shown, first) : nothing(shown)}
          ${
            others.length
              ? html`<section class="card">
                  <h2>${say('portal.then')}</h2>
                  ${waitingRows(shown, others)}
                </section>`
              : ''
          }
          ${documents(shown)}
        </div>
        ${project?.milestones.length ? html`<div class="across">${progress(shown, project)}</div>` : ''}
        <div>
          ${meeting(shown)} ${project ? conversation(shown, project, failure) : ''}
          ${project ? team(shown, project) : ''}
        </div>
      </div>`,
  })
}

/** What was done, with the way back. */
export function notice(look: Look, done: Done | undefined, action?: string): Html {
  if (!done) return html``
  return html`<div class="notice" role="status">
    <span>${done.text}</span>
    ${
      done.undo
        ? html`<form method="post" action="${action ?? `/portal/tasks/${done.undo}`}">
            <button name="act" value="open">${look.voice.say('portal.undo')}</button>
          </form>`
        : ''
    }
    ${
      done.file && action
        ? html`<form method="post" action="${action}/files">
            <input type="hidden" name="file" value="${done.file}" />
            <button name="act" value="restore">${look.voice.say('portal.undo')}</button>
          </form>`
        : ''
    }
  </div>`
}

function nothing({ look, portal }: Shown): Html {
  const { say } = look.voice
  const upcoming = portal.project?.milestones.find(({ state }) => state !== 'done')
  return html`<section class="card first">
    <p class="over">${say('portal.next')}</p>
    <h2>${say('portal.nothing')}</h2>
    <p class="quiet">${upcoming ? html`${upcoming.name}. ` : ''}${say('portal.nothing_text')}</p>
  </section>`
}

function nextCard(shown: Shown, waiting: Waiting): Html {
  const { say } = shown.look.voice
  return html`<section class="card first">
    <p class="over">${say('portal.next')}</p>
    <h2>${waiting.title}</h2>
    <p class="quiet">${aboutOf(shown, waiting)}</p>
    ${waiting.text ? html`<p class="words">${waiting.text.slice(0, 500)}</p>` : ''}
    ${
      waiting.kind === 'rate'
        ? ratingForm(shown.look, waiting.id)
        : waiting.action === 'upload'
          ? uploadCard(shown, waiting)
          : waiting.kind === 'task'
            ? html`<form method="post" action="/portal/tasks/${waiting.id}">
                <div class="actions">
                  <button class="main" name="act" value="done">${say('portal.mark_done')}</button>
                  <a class="button" href="/portal/tasks/${waiting.id}#more-time"
                    >${say('portal.more_time')}</a
                  >
                  <a class="button" href="/portal/tasks/${waiting.id}">${say('portal.open')}</a>
                </div>
              </form>`
            : html`<div class="actions">
                ${opener(shown, waiting, true)}
                ${
                  waiting.kind === 'form'
                    ? html`<a class="button" href="/portal/tasks/${waiting.id}#more-time"
                        >${say('portal.more_time')}</a
                      >`
                    : ''
                }
              </div>`
    }
  </section>`
}

function uploadCard({ look }: Shown, { id }: Waiting): Html {
  const { say } = look.voice
  return html`${uploadForm(say, { action: `/portal/tasks/${id}`, isMain: true })}
    <div class="actions">
      <a class="button" href="/portal/tasks/${id}#more-time">${say('portal.more_time')}</a>
      <a class="button" href="/portal/tasks/${id}">${say('portal.open')}</a>
    </div>`
}

/** When it is due, how far its form is, or who asks. */
export function aboutOf({ look }: Shown, waiting: Waiting): string {
  const { say, day } = look.voice
  const { kind, due, is_late, questions, person } = waiting
  if (kind === 'rate') return say('portal.rate_ask')
  if (kind === 'sign') {
    return person ? say('portal.to_sign', { person }) : say('portal.your_signature')
  }
  const date = due ? day(due) : ''
  const when = !due
    ? say('portal.no_date')
    : is_late
      ? say('portal.was_due', { date })
      : say('portal.due', { date })
  if (!questions) return when
  const { count, answered } = questions
  return `${say('portal.questions', { count, answered })}. ${when}`
}

function opener(
  { look }: Shown,
  { kind, action, id, title, questions }: Waiting,
  isMain = false,
): Html {
  const { say } = look.voice
  const label =
    kind === 'sign' || kind === 'rate'
      ? say(`portal.${kind}`)
      : kind === 'form'
        ? say(questions?.answered ? 'portal.continue' : 'portal.open_form')
        : say(action === 'upload' ? 'portal.upload' : 'portal.open')
  const href =
    kind === 'sign' || kind === 'rate'
      ? `/portal/${kind === 'rate' ? 'milestones' : kind}/${id}`
      : `/portal/tasks/${id}${action === 'upload' ? '#files' : ''}`
  return html`<a class="button ${isMain ? 'main' : ''}" href="${href}">
    ${label}<span class="unseen">: ${title}</span>
  </a>`
}

function waitingRows(shown: Shown, waiting: Waiting[]): Html {
  const { say } = shown.look.voice
  return html`<ul class="rows">
    ${waiting.map(
      (each) =>
        html`<li>
          <div class="what">
            ${
              each.kind === 'task'
                ? html`<a href="/portal/tasks/${each.id}">${each.title}</a>`
                : html`<strong>${each.title}</strong>`
            }
            <span>${aboutOf(shown, each)}</span>
          </div>
          ${
            each.kind === 'task' && each.action === 'done'
              ? html`<form method="post" action="/portal/tasks/${each.id}">
                  <button name="act" value="done">
                    ${say('portal.mark_done')}<span class="unseen">: ${each.title}</span>
                  </button>
                </form>`
              : opener(shown, each)
          }
        </li>`,
    )}
  </ul>`
}

/** The milestones as steps, each with its state in words. */
export function progress(
  { look, portal }: Shown,
  { id, milestones }: PortalProject,
  isLink = true,
): Html {
  const { say, day } = look.voice
  const words = (each: PortalProject['milestones'][number]) => {
    const date = each.completed_at?.slice(0, 10) ?? each.due
    if (each.state === 'done') {
      return date ? say('portal.done_on', { date: day(date) }) : say('portal.done')
    }
    const state = say(each.state === 'now' ? 'portal.now' : 'portal.later')
    return date ? `${state}. ${say('portal.due', { date: day(date) })}` : state
  }
  return html`<section class="card">
    <h2>${say('portal.progress')}</h2>
    <ol class="steps">
      ${milestones.map(
        (each, at) =>
          html`<li data-state="${each.state}">
            <span class="unseen">
              ${say('portal.step', { step: at + 1, count: milestones.length })}:
            </span>
            <strong>${each.name}</strong>
            <span>${words(each)}</span>
            ${
              !isLink && portal.next.some(({ kind, id: of }) => kind === 'rate' && of === each.id)
                ? html`<a href="/portal/milestones/${each.id}">
                    ${say('portal.rate')}<span class="unseen">: ${each.name}</span>
                  </a>`
                : ''
            }
          </li>`,
      )}
    </ol>
    ${isLink ? html`<p class="note"><a href="/portal/projects/${id}">${say('portal.whole_plan')}</a></p>` : ''}
  </section>`
}

function documents({ look, portal }: Shown): Html {
  const { say } = look.voice
  return html`<section class="card" id="documents">
    <h2>${say('portal.documents')}</h2>
    ${
      portal.documents.length
        ? html`<ul class="rows">
            ${portal.documents.map(
              ({ id, name }) =>
                html`<li>
                  <div class="what"><a href="/portal/documents/${id}">${name}</a></div>
                </li>`,
            )}
          </ul>`
        : html`<p class="quiet">${say('portal.no_documents')}</p>`
    }
  </section>`
}

function meeting({ look, portal }: Shown): Html {
  const { say, range } = look.voice
  const [next] = portal.meetings
  if (!next) return html``
  const link = webAddress(next.link ?? '')
  return html`<section class="card">
    <h2>${say('portal.meeting')}</h2>
    <p><strong>${next.title}</strong></p>
    <p class="quiet">${range(next.start, next.end, next.all_day)}</p>
    ${next.location ? html`<p class="quiet">${next.location}</p>` : ''}
    ${
      link
        ? html`<p>
            <a class="button" href="${link.href}" rel="noopener noreferrer" target="_blank">
              ${say('portal.join')}
            </a>
          </p>`
        : ''
    }
  </section>`
}

function conversation({ look, portal }: Shown, { id }: PortalProject, failure?: string): Html {
  const { say } = look.voice
  return html`<section class="card" id="conversation">
    <h2>${say('portal.conversation')}</h2>
    ${said({ look, portal })}
    <form method="post" action="/portal/projects/${id}/comments">
      ${failure ? html`<p class="wrong" role="alert">${failure}</p>` : ''}
      <label for="comment">${say('portal.write')}</label>
      <textarea id="comment" name="content" maxlength="10000" rows="3" required></textarea>
      <div class="actions"><button class="main">${say('portal.send')}</button></div>
    </form>
  </section>`
}

/** The last comments, the latest last. */
function said({ look, portal }: Shown): Html {
  const { say, moment } = look.voice
  const { conversation: comments } = portal
  if (!comments.length) return html`<p class="quiet">${say('portal.no_comments')}</p>`
  return html`<ol class="said">
    ${comments.map(
      ({ text, at, person, is_mine }) =>
        html`<li>
          <strong>${is_mine ? say('portal.you') : (person ?? portal.organization.name)}</strong>
          <time datetime="${at}">${moment(at)}</time>
          <p>${text}</p>
        </li>`,
    )}
  </ol>`
}

function team({ look, portal }: Shown, { team: people }: PortalProject): Html {
  const { say } = look.voice
  const others = people.filter(({ id }) => id !== portal.me.id)
  if (!others.length) return html``
  return html`<section class="card">
    <h2>${say('portal.team')}</h2>
    <ul class="rows">
      ${others.map(
        ({ name, email }) =>
          html`<li>
            <div class="what">
              <strong>${name}</strong>
              ${
                email
                  ? html`<a
                      class="mail"
                      href="mailto:${encodeURIComponent(email).replaceAll('%40', '@')}"
                    >
                      <span class="unseen">${say('portal.write_to', { person: name })}: </span
                      >${email}
                    </a>`
                  : ''
              }
            </div>
          </li>`,
      )}
    </ul>
  </section>`
}
