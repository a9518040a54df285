import type { Context } from '../../kit/ground/context.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { PlaceColumns } from '../../kit/record/rank.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import { insertMany } from '../../kit/write/many.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { statusFor } from '../../model/statuses/status.ts'
import { Task } from '../../model/tasks/task.ts'
import { mostLevels } from '../../model/templates/config.ts'
import { announceNewTasks } from '../tasks/announce.ts'
import type { DatedPlan } from './dated.ts'
import { attachDocuments } from './documents.ts'
import { linksBetween } from './links.ts'

/** What was created, for its undo. */
export type LaidOut = { milestoneIds: string[]; taskIds: string[]; documentIds: string[] }

/**
 * Creates a project's milestones and tasks from a template with its dates, in a fixed number of statements. Required
 * fields that a template cannot hold may be missing. `places` are those of the milestones, by default in their order.
 */
export async function layOut(
  ctx: Context,
  project: { id: string; account_id?: string | null },
  plan: DatedPlan,
  places: PlaceColumns[] = [],
): Promise<LaidOut> {
  if (!plan.milestones.length) return { milestoneIds: [], taskIds: [], documentIds: [] }
  const [milestoneStatus, taskStatus] = await Promise.all([
    statusFor(ctx, 'milestones', 'not_started'),
    statusFor(ctx, 'tasks', 'not_started'),
  ])
  const milestoneIds = await insertAll(
    ctx,
    Milestone,
    plan.milestones.map(
      ({ ref, name, description, start_date, due_date, owner, is_shared }, at) => ({
        body: { name, description, is_shared, position: at, start_date, due_date },
        links: present({ project_id: project.id, owner }),
        set: { status_id: milestoneStatus.id, template_ref: refIn(plan, ref), ...places[at] },
      }),
    ),
  )
  const tasks = placed(plan.milestones, milestoneIds)
  const forms = await formsOf(
    ctx,
    tasks.map(({ task }) => task),
  )
  // parents first: a subtask needs the id of its parent
  for (let level = 1; level <= mostLevels; level++) {
    const some = tasks.filter((each) => each.level === level)
    const ids = await insertAll(
      ctx,
      Task,
      some.map(({ task, position, milestone_id, parent }) =>
        taskRow(task, forms, {
          body: { position },
          links: {
            project_id: project.id,
            milestone_id,
            parent_id: parent?.id,
            account_id: project.account_id,
          },
          set: { status_id: taskStatus.id, template_ref: refIn(plan, task.ref) },
        }),
      ),
    )
    for (const [at, each] of some.entries()) each.id = ids[at] ?? ''
  }
  await insertDependencies(ctx, tasks)
  const documentIds = await attachDocuments(ctx, tasks)
  const taskIds = tasks.map(({ id }) => id)
  // last, so that events show milestones with their tasks, and tasks with their predecessors
  await announceAll(ctx, Milestone, 'created', milestoneIds)
  await announceNewTasks(ctx, taskIds, { notifiesOwners: true })
  return { milestoneIds, taskIds, documentIds }
}

/** What names a line of a template in all of them; null of a plan of its own. */
export function refIn({ template_id }: Pick<DatedPlan, 'template_id'>, ref: string): string | null {
  return template_id === null ? null : `${template_id}/${ref}`
}

type Structure = { [key: string]: unknown }

/** The questions of the forms that tasks ask for; of those that are gone there are none. */
export async function formsOf(
  ctx: Context,
  tasks: { form_id?: string | null }[],
): Promise<Map<string, Structure>> {
  const ids = [...new Set(tasks.flatMap(({ form_id }) => form_id ?? []))]
  const found = ids.length
    ? await ctx.all<{ id: string; form_structure: Structure }>(sql`
        select t.id, t.form_structure - 'endings' as form_structure from surveys t
        where ${mine(ctx)} and t.deleted_at is null and t.id = any(${ids}::varchar[])
        order by t.id for key share`)
    : []
  return new Map(found.map(({ id, form_structure }) => [id, form_structure]))
}

type DatedTask = DatedPlan['milestones'][number]['dated'][number]

/** What a line of a template adds to a new task: where it stands is given. */
export function taskRow(
  task: DatedTask,
  forms: Map<string, Structure>,
  {
    body,
    links,
    set,
  }: {
    body: { position: number }
    links: { [field: string]: string | null | undefined }
    set: { [column: string]: unknown }
  },
): NewRows[number] {
  const form_structure = forms.get(task.form_id ?? '')
  return {
    body: {
      title: task.title,
      description: task.description ?? null,
      ...(form_structure ? { form_structure } : {}),
      item_type: task.item_type ?? (form_structure ? 3 : links.parent_id ? 2 : 1),
      tags: task.tags ?? null,
      is_shared: task.is_shared ?? false,
      asks_for_file: task.asks_for_file ?? false,
      ...(typeof task.estimate_minutes === 'number'
        ? { estimate_minutes: task.estimate_minutes }
        : {}),
      start_date: task.start_date,
      due_date: task.due_date,
      ...body,
    },
    links: present({
      ...links,
      owner: task.owner,
      form_id: form_structure ? task.form_id : undefined,
    }),
    set: { priority: task.priority ?? null, ...set },
  }
}

type Placed = {
  id: string
  task: DatedTask
  milestone_id: string | undefined
  position: number
  parent: Placed | undefined
  level: number
}

/** Tasks with their milestones and parents; what would be too deep, or has no parent there, stands at the top. */
function placed(milestones: DatedPlan['milestones'], ids: string[]): Placed[] {
  return milestones.flatMap(({ dated }, m) => {
    const known = new Map<string, Placed>()
    return dated.map((task, position) => {
      const named = known.get(task.parent ?? '')
      const parent = named && named.level < mostLevels ? named : undefined
      const level = (parent?.level ?? 0) + 1
      const each: Placed = { id: '', task, milestone_id: ids[m], position, parent, level }
      for (const ref of [task.id, task.title]) if (ref && !known.has(ref)) known.set(ref, each)
      return each
    })
  })
}

type NewRows = Parameters<typeof insertMany>[2]

/** The ids of the rows inserted; throws the first refusal. */
export async function insertAll(ctx: Context, record: AnyRecord, rows: NewRows): Promise<string[]> {
  const options = { allowMissing: true, announcesLater: true }
  const outcomes = await insertMany(ctx, record, rows, options)
  return outcomes.map((outcome) => {
    if (outcome instanceof Failure) throw outcome
    return outcome.id
  })
}

/** The dependencies between the tasks of a plan. */
async function insertDependencies(ctx: Context, tasks: Placed[]) {
  await insertLinks(
    ctx,
    linksBetween(tasks.map(({ task }) => task)).map(({ task, predecessor, ...link }) => ({
      task_id: tasks[task]?.id,
      predecessor_id: tasks[predecessor]?.id,
      ...link,
    })),
  )
}

type NewLink = {
  task_id: string | undefined
  predecessor_id: string | undefined
  type: string
  lag_days: number
}

/** Stores dependencies of tasks that nobody has been told of yet. */
export async function insertLinks(ctx: Context, links: NewLink[]) {
  if (!links.length) return
  await ctx.run(sql`
    insert into task_dependencies (organization_id, task_id, predecessor_id, type, lag_days)
    select ${ctx.organization.id}, d.task_id, d.predecessor_id, d.type, d.lag_days
    from json_to_recordset(${JSON.stringify(links)})
      as d (task_id text, predecessor_id text, type text, lag_days integer)
    on conflict do nothing`)
}

/** The links that are not null. */
export function present(links: { [field: string]: string | null | undefined }) {
  const entries = Object.entries(links)
  return Object.fromEntries(entries.filter((each): each is [string, string] => Boolean(each[1])))
}
