import type { Context } from '../../../kit/ground/context.ts'
import type { Place } from '../../../kit/record/rank.ts'
import { between, isAhead, textBetween } from '../../../kit/record/rank.ts'
import { announceAll } from '../../../kit/write/announce-many.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { statusFor } from '../../../model/statuses/status.ts'
import { Task } from '../../../model/tasks/task.ts'
import { mostLevels } from '../../../model/templates/config.ts'
import { storeWrite } from '../../bulk/change.ts'
import { gatherMails } from '../../notifications/gathered.ts'
import { announceNewTasks } from '../../tasks/announce.ts'
import { checkCircles, writeLinks } from '../../tasks/links.ts'
import { attachDocuments } from '../../templates/documents.ts'
import { formsOf, insertAll, insertLinks, present, taskRow } from '../../templates/layout.ts'
import { storedPlans, textOf } from '../schedule/stored.ts'
import type { Replaced } from '../schedule/write.ts'
import { writeColumns, writeFields } from '../schedule/write.ts'
import type { Outcome } from './outcome.ts'

/** A project with what becomes of it, and who has the roles of new lines. */
export type Updating = {
  project: { id: string; account_id: string | null; template_version: number }
  outcome: Outcome
  personFor: (role: string | undefined) => string | null
}

/** A new line on its way into a project; `above` is the id of a row or the name of another new line. */
type Placing = {
  of: Updating
  added: Outcome['added'][number]
  place: Place
  level: number
}

/** Writes what a version of a template makes of some projects, as one act with one undo; returns its id. */
export async function writeUpdates(
  ctx: Context,
  all: Updating[],
  version: number,
): Promise<string> {
  const placings = all.flatMap(placed)
  const created = await createLines(ctx, placings)
  const { ids } = created
  const idOf = (of: Updating, name: string) => ids.get(keyOf(of, name)) ?? name
  const replaced = all.flatMap((of): Replaced[] => [
    {
      record_id: of.project.id,
      kind: 'project',
      fields: { template_version: { from: of.project.template_version, to: version } },
      links: [],
    },
    ...of.outcome.replaced.map((each) => ({
      ...each,
      links: each.links.map((link) => ({
        ...link,
        predecessor_id: idOf(of, link.predecessor_id),
      })),
    })),
  ])
  const refused = [...(await writeFields(ctx, replaced)).values()]
  for (const failure of refused) throw failure
  await writeColumns(ctx, replaced)
  const links = replaced.flatMap(({ record_id: task_id, links: its }) =>
    its.map((link) => ({ task_id, ...link })),
  )
  await checkCircles(ctx, links)
  await writeLinks(ctx, links)
  const more = all.flatMap(({ outcome }) => [...outcome.merged.documents])
  const copies = await attachDocuments(
    ctx,
    more.map(([id, document_id]) => ({ id, task: { document_id } })),
  )
  const lines = placings.map(({ of, added: { line } }) => ({
    record_id: idOf(of, line.ref),
    version: null,
    before: { kind: line.kind, created: true },
  }))
  const attachedAs = (kind: string) => (record_id: string) => ({
    record_id,
    version: null,
    before: { kind, created: true },
  })
  const plans = await storedPlans(
    ctx,
    all.map(({ project }) => project.id),
    'readable',
  )
  const versions = new Map(
    [...plans.values()].flatMap(({ project, tasks, milestones }) =>
      [project, ...tasks, ...milestones].map((row) => [row.id, row.version]),
    ),
  )
  return storeWrite(ctx, { list: 'template_update', action: 'update', field: 'project_ids' }, [
    ...replaced.map(({ record_id, ...before }) => ({
      record_id,
      version: versions.get(record_id) ?? null,
      before,
    })),
    ...lines,
    ...created.documents.map(attachedAs('document')),
    ...copies.map(attachedAs('copy')),
  ])
}

function keyOf({ project }: Updating, name: string): string {
  return `${project.id} ${name}`
}

/** The places of new lines: each behind the line before it in the template that has the same home. */
function placed(of: Updating): Placing[] {
  const { added, beside } = of.outcome
  const homes = new Map<string, { ref: string | null; place: Place }[]>()
  const homeOf = (kind: string, milestone: string | null, parent: string | null) => {
    const key = kind === 'milestone' ? kind : `${milestone} ${parent}`
    const home = homes.get(key) ?? []
    homes.set(key, home)
    return home
  }
  for (const { row_kind, milestone_id, parent_id, ref, place } of beside.rows) {
    homeOf(row_kind, milestone_id, parent_id).push({ ref, place })
  }
  for (const home of homes.values()) {
    home.sort((a, b) => (isAhead(a.place, b.place) ? -1 : 1))
  }
  const order = new Map(of.outcome.order.map((ref, at) => [ref, at]))
  const levels = new Map<string, number>()
  return added.map((each) => {
    const { line, milestone, parent } = each
    const home = homeOf(line.kind, milestone, parent)
    const own = order.get(line.ref) ?? 0
    const before = home.findLastIndex(({ ref }) => (order.get(ref ?? '') ?? Infinity) < own)
    // a first line stands before those that are there
    const { position, rank } = between(home[before]?.place, home[before + 1]?.place)
    const place = { position, text: rank ?? textBetween('') }
    home.splice(before + 1, 0, { ref: line.ref, place })
    const level = (levels.get(parent ?? '') ?? 0) + 1
    levels.set(line.ref, level)
    return { of, added: each, place, level }
  })
}

/**
 * Creates the new lines of all projects, level by level; returns their ids by the project and the name, and those of the
 * documents that are attached to them.
 */
async function createLines(
  ctx: Context,
  all: Placing[],
): Promise<{ ids: Map<string, string>; documents: string[] }> {
  const ids = new Map<string, string>()
  if (!all.length) return { ids, documents: [] }
  const [milestoneStatus, taskStatus] = await Promise.all([
    statusFor(ctx, 'milestones', 'not_started'),
    statusFor(ctx, 'tasks', 'not_started'),
  ])
  const note = (some: Placing[], made: string[]) => {
    for (const [at, { of, added }] of some.entries()) {
      ids.set(keyOf(of, added.line.ref), made[at] ?? '')
    }
    return made
  }
  const refOf = (name: string) => name.replace(/^(milestone|task) /, '')
  const milestones = all.filter(({ added }) => added.line.kind === 'milestone')
  const milestoneRows = milestones.map(({ of, added: { line, dates }, place }) => ({
    body: {
      name: line.title,
      description: line.description,
      is_shared: line.is_shared,
      position: place.position,
      start_date: textOf(dates.start),
      due_date: textOf(dates.due),
    },
    links: present({ project_id: of.project.id, owner: of.personFor(line.role) }),
    set: { status_id: milestoneStatus.id, template_ref: refOf(line.ref), rank: place.text },
  }))
  const milestoneIds = note(milestones, await insertAll(ctx, Milestone, milestoneRows))
  const tasks = all.flatMap((each) => {
    const { task } = each.added.line
    return task ? [{ ...each, task }] : []
  })
  const forms = await formsOf(
    ctx,
    tasks.map(({ task }) => task),
  )
  const taskIds: string[] = []
  for (let level = 1; level <= mostLevels; level++) {
    const some = tasks.filter((each) => each.level === level)
    const rows = some.map(({ of, added: { line, dates, milestone, parent }, task, place }) => {
      const idOf = (name: string | null) => name && (ids.get(keyOf(of, name)) ?? name)
      const shown = {
        ...task,
        start_date: textOf(dates.start) ?? '',
        due_date: textOf(dates.due) ?? '',
        owner: of.personFor(line.role),
      }
      return taskRow(shown, forms, {
        body: { position: place.position },
        links: {
          project_id: of.project.id,
          milestone_id: idOf(milestone),
          parent_id: idOf(parent),
          account_id: of.project.account_id,
        },
        set: { status_id: taskStatus.id, template_ref: refOf(line.ref), rank: place.text },
      })
    })
    if (rows.length) taskIds.push(...note(some, await insertAll(ctx, Task, rows)))
  }
  const isNew = new Set(tasks.map(({ of, added }) => keyOf(of, added.line.ref)))
  const links = [...new Set(all.map(({ of }) => of))].flatMap((of) =>
    of.outcome.merged.links.flatMap(({ task_id, predecessor_id, to }) =>
      isNew.has(keyOf(of, task_id)) && to
        ? [
            {
              task_id: ids.get(keyOf(of, task_id)),
              predecessor_id: ids.get(keyOf(of, predecessor_id)) ?? predecessor_id,
              ...to,
            },
          ]
        : [],
    ),
  )
  await insertLinks(ctx, links)
  // last, so that events show milestones with their tasks, and tasks with their predecessors
  await announceAll(ctx, Milestone, 'created', milestoneIds)
  await announceNewTasks(ctx, taskIds, { notifiesOwners: true })
  await gatherMails(ctx, taskIds)
  const made = tasks.map(({ of, added, task }) => ({
    id: ids.get(keyOf(of, added.line.ref)) ?? '',
    task,
  }))
  return { ids, documents: await attachDocuments(ctx, made) }
}
