import { html } from '../../kit/ground/html-template.ts'
import type { PortalProject } from '../../records/portal/shape.ts'
import type { Page } from '../pages/page.ts'
import type { Shown } from './views.ts'
import { portalPage, progress } from './views.ts'

/** A task of the plan, as far as the portal shows it. */
export type PlanTask = {
  item_id: string
  title: string
  milestone_id: string | null
  is_completed: boolean
  due_date: string | null
  owner: { user_id: string; full_name: string } | null
}

/** The page of a project: its milestones, and the tasks of both sides in their order. */
export function projectPage(shown: Shown, project: PortalProject, tasks: PlanTask[]): Page {
  const { look, portal } = shown
  const { say, day } = look.voice
  const groups = [...project.milestones, { id: null, name: say('portal.tasks') }]
    .map(({ id, name }) => ({ name, rows: tasks.filter(({ milestone_id: of }) => of === id) }))
    .filter(({ rows }) => rows.length)
  const about = ({ is_completed, due_date, owner }: PlanTask) =>
    [
      is_completed
        ? say('portal.done')
        : due_date
          ? say('portal.due', { date: day(due_date) })
          : say('portal.no_date'),
      owner ? (owner.user_id === portal.me.id ? say('portal.you') : owner.full_name) : '',
    ]
      .filter(Boolean)
      .join(' · ')
  return portalPage(shown, {
    title: project.name,
    at: 'project',
    main: html`<h1>${project.name}</h1>
      <p class="lead">
        ${project.go_live ? say('portal.go_live', { date: day(project.go_live) }) : ''}
      </p>
      <div class="columns">
        <div>
          ${groups.map(
            ({ name, rows }) =>
              html`<section class="card">
                <h2>${name}</h2>
                <ul class="rows">
                  ${rows.map(
                    (task) =>
                      html`<li class="${task.is_completed ? 'done' : ''}">
                        <div class="what">
                          <a href="/portal/tasks/${task.item_id}">${task.title}</a>
                          <span>${about(task)}</span>
                        </div>
                      </li>`,
                  )}
                </ul>
              </section>`,
          )}
        </div>
        <div>${progress(shown, project, false)}</div>
      </div>`,
  })
}
