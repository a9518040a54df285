import type { Static } from 'typebox'
import { Type } from 'typebox'
import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, forbidden, renamed } from '../../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { checkReadable } from '../../../kit/read/one.ts'
import { may } from '../../../kit/record/scope.ts'
import { lockMany } from '../../../kit/write/many.ts'
import { checkMove, placeBetween, placeProperties } from '../../../kit/write/move.ts'
import type { Written } from '../../../kit/write/write.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'
import { Task } from '../../../model/tasks/task.ts'
import { updateTask } from '../../tasks/update.ts'
import { updateMilestone } from '../update.ts'

const above = (description: string) =>
  Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 25, description })))

const row = Type.Object(
  {
    kind: Type.Optional(
      enumeration(['task', 'milestone'], { title: 'PlanRowKind', description: '`task`' }),
    ),
    id: Type.String({ minLength: 1, maxLength: 25, description: 'the task or milestone' }),
    milestone_id: above('the milestone of a task, null for none; by default as it is'),
    parent_id: above('the task of which it is a subtask, null for none; by default as it is'),
    ...placeProperties,
  },
  { additionalProperties: false, title: 'PlanRowPlace' },
)

const body = Type.Object(
  {
    rows: Type.Array(row, {
      minItems: 1,
      maxItems: 500,
      description: 'one after the other, each where those before it have been moved already',
    }),
  },
  { additionalProperties: false },
)

type Move = Static<typeof row>

/** Rows of a plan get other places, as one write. */
export const movePlanRows = operation({
  name: 'move_plan_rows',
  summary: 'Move rows of the plan of a project',
  description:
    'Puts up to 500 tasks and milestones behind `after` and ahead of `before`, and tasks below another milestone or ' +
    'task, in one write: all of them, or none. 409 `order_changed` if the order of the two has changed.',
  // which of these it needs depends on the rows
  can: { module: 'projects', action: 'update', or: ['deals', 'tasks'] },
  writes: true,
  input: { params: byId, body },
  output: Type.Object(
    {
      rows: Type.Array(
        Type.Object(
          { id: Type.String(), version: Type.Integer() },
          { additionalProperties: false, title: 'MovedPlanRow' },
        ),
        { description: 'those that moved, in the order of the body' },
      ),
    },
    { additionalProperties: false, title: 'MovedPlanRows' },
  ),
  async run(ctx, { params, body: { rows } }) {
    await checkReadable(ctx, ProjectOrDeal, params.id)
    checkRights(ctx, rows)
    await lockAll(ctx, params.id, rows)
    const moved = []
    for (const [at, each] of rows.entries()) {
      try {
        const { id, version } = await moveOne(ctx, each)
        moved.push({ id, version })
      } catch (error) {
        throw renamed(error, (field) => `rows.${at}.${field}`)
      }
    }
    return { rows: moved }
  },
})

function checkRights(ctx: Context, rows: Move[]) {
  const milestones = rows.filter(isMilestone).length
  if (milestones < rows.length && !may(ctx.actor, { module: 'tasks', action: 'update' })) {
    throw forbidden('Your role may not update tasks')
  }
  if (milestones && !may(ctx.actor, { module: 'projects', action: 'update', or: 'deals' })) {
    throw forbidden('Your role may not move milestones')
  }
  for (const [at, each] of rows.entries()) {
    const other = (['milestone_id', 'parent_id'] as const).find((name) => each[name] !== undefined)
    if (isMilestone(each) && other) throw badField(`rows.${at}.${other}`, 'only tasks have one')
  }
}

/** Locks rows and their neighbours in the order of their ids, as any other write of many; 400 for those of another project. */
async function lockAll(ctx: Context, project: string, rows: Move[]) {
  const of = [
    { record: Milestone, some: rows.filter(isMilestone) },
    { record: Task, some: rows.filter((each) => !isMilestone(each)) },
  ]
  for (const { record, some } of of) {
    const named = some.flatMap(({ id, after, before, parent_id }) => [
      id,
      after ?? [],
      before ?? [],
      parent_id ?? [],
    ])
    const locked = await lockMany(ctx, record, [...new Set(named.flat())], 'read')
    const isElsewhere = ({ id }: Move) => locked.get(id)?.stored.project_id !== project
    const at = rows.findIndex((each) => some.includes(each) && isElsewhere(each))
    if (at >= 0) throw badField(`rows.${at}.id`, `no such ${record.word} in this project`)
  }
}

async function moveOne(
  ctx: Context,
  { kind, id, after = null, before = null, ...set }: Move,
): Promise<Written> {
  const record = isMilestone({ kind }) ? Milestone : Task
  const ofProject = { column: 'project_id', isStrict: true }
  const place = await placeBetween(ctx, record, id, { after, before }, ofProject)
  checkMove(place, set)
  return record === Milestone
    ? updateMilestone(ctx, id, {}, undefined, place)
    : updateTask(ctx, id, set, undefined, place)
}

function isMilestone({ kind }: Pick<Move, 'kind'>): boolean {
  return kind === 'milestone'
}
