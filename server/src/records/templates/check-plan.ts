import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { Document } from '../../model/documents/document.ts'
import type { TemplateConfig, TemplateRole, TemplateTask } from '../../model/templates/config.ts'
import { mostLevels, predecessorsOf } from '../../model/templates/config.ts'
import { presentPeople } from '../../model/people/people.ts'
import { cycleAmong, namedLinks } from './links.ts'

/** The maximum number of tasks in a plan. */
export const mostTasks = 2000

/**
 * What the schema of a plan cannot state: at most 2,000 tasks, each named, depending on tasks of the
 * plan but not on itself, below earlier ones of their milestone, with forms that there are, and with documents that the
 * caller may read or that the plan `before` had. 400 names the place.
 */
export async function checkPlan(
  ctx: Context,
  config: TemplateConfig | undefined,
  before?: TemplateConfig,
) {
  const known = new Set<string>()
  const all: { task: TemplateTask; at: string }[] = []
  for (const [s, stage] of (config?.stages ?? []).entries()) {
    const holders = [
      { tasks: stage.tasks ?? [], path: `stages.${s}` },
      ...(stage.milestones ?? []).map(({ tasks = [] }, m) => ({
        tasks,
        path: `stages.${s}.milestones.${m}`,
      })),
    ]
    for (const { tasks, path } of holders) {
      // the level of each task of the milestone, by what names it
      const within = new Map<string, number>()
      for (const [t, task] of tasks.entries()) {
        const at = `template_config.${path}.tasks.${t}`
        const title = task.title ?? task.name
        if (!title) throw badField(`${at}.title`, 'is required')
        const level = task.parent === undefined ? 1 : (within.get(task.parent) ?? 0) + 1
        if (task.parent !== undefined && level === 1) {
          const message = `no earlier task of the milestone is called ${task.parent}`
          throw badField(`${at}.parent`, message)
        }
        if (level > mostLevels) {
          throw badField(`${at}.parent`, `would be more than ${mostLevels} levels deep`)
        }
        const refs = [task.id, title].filter((each) => each !== undefined)
        for (const ref of refs) {
          known.add(ref)
          within.set(ref, level)
        }
        all.push({ task, at })
        if (all.length > mostTasks) {
          throw badField('template_config', 'must have at most 2,000 tasks')
        }
      }
    }
  }
  for (const { task, at } of all) {
    const missing = predecessorsOf(task).find(({ id }) => !known.has(id))
    if (missing) throw badField(`${at}.depends_on`, `no task is called ${missing.id}`)
  }
  const forms = namedBy(all, 'form_id')
  await checkFound(ctx, 'form', forms, sql`surveys t where ${mine(ctx)} and t.deleted_at is null`)
  const had = documentsIn(before)
  const documents = namedBy(all, 'document_id').filter(({ id }) => !had.has(id))
  // who uses the template may read more, and copies it for others
  const readable = sql`documents t where ${scope(ctx, Document, 'read')}`
  await checkFound(ctx, 'document', documents, readable)
  const tasks = all.map(({ task }) => task)
  const circular = all[cycleAmong(tasks.length, namedLinks(tasks)) ?? -1]
  if (circular) throw badField(`${circular.at}.depends_on`, 'would make the task wait for itself')
}

/** What tasks name besides each other, and where. */
function namedBy(
  all: { task: TemplateTask; at: string }[],
  field: 'form_id' | 'document_id',
): { id: string; at: string }[] {
  return all.flatMap(({ task, at }) => {
    const id = task[field]
    return id ? [{ id, at: `${at}.${field}` }] : []
  })
}

/** 400 for a name that is not among these rows of a table. */
async function checkFound(
  ctx: Context,
  what: 'form' | 'document',
  wanted: { id: string; at: string }[],
  among: Query,
) {
  if (!wanted.length) return
  const found = await ctx.all<{ id: string }>(sql`select t.id from ${among}
    and t.id = any(${wanted.map(({ id }) => id)}::varchar[])`)
  const known = new Set(found.map(({ id }) => id))
  const missing = wanted.find(({ id }) => !known.has(id))
  if (missing) throw badField(missing.at, `no such ${what}`)
}

function documentsIn(config: TemplateConfig | undefined): ReadonlySet<string> {
  const tasks = (config?.stages ?? []).flatMap(({ tasks: own = [], milestones = [] }) => [
    ...own,
    ...milestones.flatMap(({ tasks: its = [] }) => its),
  ])
  return new Set(tasks.flatMap(({ document_id }) => document_id ?? []))
}

/** 400 for two roles with one key, and for a person who is not a user. */
export async function checkRoles(ctx: Context, roles: TemplateRole[] | undefined) {
  if (!roles?.length) return
  const ids = roles.flatMap(({ default_user_id }) => default_user_id ?? [])
  const present = new Set(await presentPeople(ctx, ids))
  const keys = new Set<string>()
  for (const [at, { key, default_user_id }] of roles.entries()) {
    if (keys.has(key)) throw badField(`roles.${at}.key`, `is that of an earlier role: ${key}`)
    keys.add(key)
    if (default_user_id && !present.has(default_user_id)) {
      throw badField(`roles.${at}.default_user_id`, 'no such user')
    }
  }
}
