import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { computation } from '../../../kit/ground/computation.ts'
import { idsListed } from '../../../kit/ground/ids.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import { Project } from '../../../model/projects/project.ts'
import type { Likely, LikelyInput } from '../../../schedule/likely.ts'
import { likelyOfAll } from '../../../schedule/likely.ts'
import { leastHistory, samplesFor } from '../../../schedule/slips.ts'
import { dayText } from '../../../schedule/workdays.ts'
import { keyOf, pastSlips } from './history.ts'
import type { StoredPlan } from './stored.ts'
import { readablePart, storedPlans } from './stored.ts'

const day = orNull(Type.String({ format: 'date' }))
const mostProjects = 200

const row = Type.Object(
  {
    project_id: Type.String(),
    p50: { ...day, description: 'half of the ways in which it may go reach the go-live by then' },
    p85: { ...day, description: 'the same of 85 %' },
    driver: {
      ...orNull(
        Type.Object(
          {
            id: Type.String(),
            title: Type.String(),
            days: Type.Number({ description: 'working days, on average' }),
          },
          { title: 'GoLiveDriver', additionalProperties: false },
        ),
      ),
      description: 'the task whose slips hold it up most',
    },
  },
  { title: 'GoLiveForecast', additionalProperties: false },
)

/** When projects go live, by what tasks like theirs slipped by. */
export const projectForecasts = operation({
  name: 'list_project_forecasts',
  summary: 'Forecast when projects go live',
  description:
    `Plays the open tasks of a project many times: each slips as finished tasks of its template, milestone and side did. Both days are null with fewer than ${leastHistory} finished tasks, and where nothing is open. ` +
    'Counts what the caller may read; customers and partners have those projects alone that show them their forecasted date.',
  can: { module: 'projects', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: {
    query: Type.Object({
      project_ids: Type.String({
        minLength: 1,
        maxLength: 30 * mostProjects,
        description: `the ids, comma-separated, ${mostProjects} at most`,
      }),
    }),
  },
  output: Type.Object(
    {
      rows: Type.Array(row, { description: 'of the projects that the caller may read' }),
      finished_tasks: Type.Integer({ description: 'how many finished tasks it rests on' }),
      least_tasks: Type.Integer({ description: 'how many it needs' }),
    },
    { title: 'GoLiveForecasts', additionalProperties: false },
  ),
  async run(ctx, { query }) {
    const ids = idsListed(query.project_ids, 'project_ids', { least: 0, most: mostProjects })
    const projects = await ctx.all<Found>(sql`
      select t.id, t.template_id from projects t
      where ${scope(ctx, Project, 'read')} and t.project_type = 'project'
        and t.id = any(${ids}::varchar[])
        ${ctx.actor.is_external ? sql`and t.show_forecasted_date` : sql``} order by t.id`)
    const past = await pastSlips(ctx)
    const plans = await storedPlans(
      ctx,
      projects.map(({ id }) => id),
      'readable',
    )
    const asked = projects.map((project) => {
      const stored = plans.get(project.id)
      return { project, stored, input: stored && inputOf(project, stored, past) }
    })
    const found = await likelyOf(
      ctx,
      asked.map(({ input }) => input),
    )
    const rows = asked.map(({ project, stored }, at) => shown(project.id, stored, found[at]))
    return { rows, finished_tasks: past.length, least_tasks: leastHistory }
  },
})

type Found = { id: string; template_id: string | null }
type Past = Awaited<ReturnType<typeof pastSlips>>

/** The readable part of a plan with the slips for its tasks; undefined with too little history. */
function inputOf(project: Found, stored: StoredPlan, past: Past): LikelyInput | undefined {
  const plan = readablePart(stored, stored.plan)
  const milestones = new Map(
    stored.milestones.map(({ id, title, template_ref }) => [id, keyOf(template_ref ?? title)]),
  )
  const kinds = plan.tasks.map(({ milestone, side }) => ({
    template: project.template_id,
    milestone: milestones.get(milestone ?? '') ?? null,
    side: side === 'customer' ? 'customer' : 'us',
  }))
  const found = samplesFor(past, kinds)
  return found && { plan, ...found }
}

function shown(project_id: string, stored: StoredPlan | undefined, found: Likely | null = null) {
  const text = (value: number | undefined) => dayText(value ?? NaN) ?? null
  const { driver = null } = found ?? {}
  const title = stored?.tasks.find(({ id }) => id === driver?.task)?.title ?? ''
  return {
    project_id,
    p50: text(found?.p50),
    p85: text(found?.p85),
    driver: driver && { id: driver.task, title, days: driver.days },
  }
}

const playing = computation(import.meta.resolve('../../../schedule/likely.ts'), likelyOfAll)

/** Tasks and dependencies that are played at once, within some 20 ms. More leave the event loop. */
const most = 100
const mostCached = 2000

/** What was computed, by all that it follows from: plan, calendar, today and slips. */
const cached = new Map<string, Likely | null>()

async function likelyOf(ctx: Context, inputs: (LikelyInput | undefined)[]) {
  const keys = inputs.map((input) => input && hashOf(input))
  const missing = inputs.flatMap((input, at) => {
    const key = keys[at]
    return input && key !== undefined && !cached.has(key) ? [{ key, input }] : []
  })
  const parts = missing.map(({ input }) => input)
  const size = parts.reduce((sum, { plan }) => sum + plan.tasks.length + plan.links.length, 0)
  const found = !parts.length
    ? []
    : size <= most
      ? likelyOfAll(parts)
      : await ctx.services.computations.run(ctx.organization.id, playing, parts)
  const fresh = new Map(missing.map(({ key }, at) => [key, found[at] ?? null]))
  if (cached.size + fresh.size > mostCached) cached.clear()
  for (const [key, value] of fresh) cached.set(key, value)
  return keys.map((key) => (key === undefined ? null : (fresh.get(key) ?? cached.get(key) ?? null)))
}

function hashOf(input: LikelyInput): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('base64')
}
