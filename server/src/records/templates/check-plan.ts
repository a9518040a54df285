import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { TemplateConfig, TemplateRole, TemplateTask } from '../../model/templates/config.ts'
import { mostLevels, predecessorsOf } from '../../model/templates/config.ts'
import { presentPeople } from '../../model/people/people.ts'
import { cycleAmong, namedLinks } from './links.ts'

/** The maximum number of tasks in a plan. */
export const mostTasks = 2000

/**
 * What the schema of a plan cannot state: at most 2,000 tasks, each named, depending on tasks of the
 * plan but not on itself, below earlier ones of their milestone, and with forms and documents that there are. 400 names the place.
 */
export async function checkPlan(ctx: Context, config: TemplateConfig | undefined) {
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
  await checkAttached(ctx, all, 'form_id', 'surveys')
  await checkAttached(ctx, all, 'document_id', 'documents')
  const tasks = all.map(({ task }) => task)
  const circular = all[cycleAmong(tasks.length, namedLinks(tasks)) ?? -1]
  if (circular) throw badField(`${circular.at}.depends_on`, 'would make the task wait for itself')
}

/** What tasks name besides each other; whether its reader may read it counts where the template is used. */
async function checkAttached(
  ctx: Context,
  all: { task: TemplateTask; at: string }[],
  field: 'form_id' | 'document_id',
  table: 'surveys' | 'documents',
) {
  const wanted = all.flatMap(({ task, at }) => {
    const id = task[field]
    return id ? [{ id, at }] : []
  })
  if (!wanted.length) return
  const found = await ctx.all<{ id: string }>(sql`select t.id from ${sql.table(table)} t
    where ${mine(ctx)} and t.deleted_at is null
      and t.id = any(${wanted.map(({ id }) => id)}::varchar[])`)
  const known = new Set(found.map(({ id }) => id))
  const missing = wanted.find(({ id }) => !known.has(id))
  if (!missing) return
  throw badField(`${missing.at}.${field}`, `no such ${field === 'form_id' ? 'form' : 'document'}`)
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
