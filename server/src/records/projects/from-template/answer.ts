import { Type } from 'typebox'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { dayText } from '../../../schedule/workdays.ts'
import type { DatedPlan } from '../../templates/dated.ts'
import type { Concern } from './concerns.ts'
import { concernKinds } from './concerns.ts'
import type { RoleLoads } from './loads.ts'
import { estimateOf } from './loads.ts'

const day = Type.String({ format: 'date' })
const person = Type.Object(
  {
    user_id: orNull(Type.String({ description: 'null of somebody who would be invited' })),
    full_name: Type.String(),
  },
  { title: 'TemplatePerson', additionalProperties: false },
)

const roleLoad = Type.Object(
  {
    week: Type.String({
      format: 'date',
      description: 'first day of the fullest week with such tasks',
    }),
    planned: Type.Integer({ description: 'minutes of all their tasks in it, these too' }),
    capacity: Type.Integer({ description: 'working minutes, without holidays and days away' }),
    percent: Type.Integer({ description: '`planned` of `capacity`' }),
  },
  { title: 'TemplateUseLoad', additionalProperties: false },
)

/** The answer to a use of a template, the same for a dry run. */
export const useAnswer = Type.Object(
  {
    project_id: orNull(Type.String({ description: 'null of a project that is not created yet' })),
    bulk_id: orNull(
      Type.String({
        description:
          'for the undo; null where nothing was written, or the caller may not delete it',
      }),
    ),
    told_at: orNull(
      Type.String({
        format: 'date-time',
        description:
          'when whoever leads it now, has tasks or is invited is mailed, if it is not undone; null for nobody',
      }),
    ),
    project_name: Type.String(),
    start_date: orNull(day),
    go_live_date: orNull(Type.String({ format: 'date', description: 'the last day of the plan' })),
    working_days: Type.Integer({ description: 'from the first to the last day' }),
    milestones: Type.Array(
      Type.Object(
        { name: Type.String(), start_date: day, due_date: day, tasks: Type.Integer() },
        { title: 'TemplateUseMilestone', additionalProperties: false },
      ),
    ),
    tasks: Type.Integer(),
    estimate_minutes: Type.Integer({ description: 'how long its tasks are expected to take' }),
    rows: Type.Array(
      Type.Object(
        {
          ref: Type.String({ description: 'the id of the line, or else its name' }),
          start_date: day,
          due_date: day,
        },
        { title: 'TemplateUseRow', additionalProperties: false },
      ),
      {
        description: 'the dates of each line by its id or name; empty unless `rows` asks for them',
      },
    ),
    roles: Type.Array(
      Type.Object(
        {
          role: Type.String(),
          tasks: Type.Integer(),
          user: orNull(person),
          load: orNull(roleLoad),
        },
        { title: 'TemplateUseRole', additionalProperties: false },
      ),
      { description: 'the roles of the plan, how many tasks each has, and whose it is' },
    ),
    conflicts: Type.Array(
      Type.Object(
        {
          kind: enumeration(concernKinds, { title: 'TemplateUseConflictKind' }),
          text: Type.String({ description: 'the conflict in a sentence' }),
        },
        { title: 'TemplateUseConflict', additionalProperties: false },
      ),
    ),
  },
  { title: 'TemplateUse', additionalProperties: false },
)

/** What a dated plan comes to, as it is previewed and as it was written. */
export function described(
  plan: DatedPlan,
  project_name: string,
  names: ReadonlyMap<string, string>,
  { conflicts, loads, hasRows }: { conflicts: Concern[]; loads: RoleLoads; hasRows: boolean },
) {
  const text = (at: number | null) => (at === null ? null : (dayText(at) ?? null))
  const personOf = (id: string | null) =>
    id === null ? null : { user_id: id.includes('@') ? null : id, full_name: names.get(id) ?? '' }
  return {
    project_name,
    start_date: text(plan.start),
    go_live_date: text(plan.end),
    working_days: plan.length,
    milestones: plan.milestones.map(({ name, start_date, due_date, tasks }) => ({
      name,
      start_date,
      due_date,
      tasks: tasks.length,
    })),
    tasks: plan.milestones.reduce((sum, { tasks }) => sum + tasks.length, 0),
    estimate_minutes: estimateOf(plan),
    rows: hasRows ? plan.milestones.flatMap((each) => [each, ...each.dated].map(rowOf)) : [],
    roles: [...plan.roles.values()].map(({ role, tasks, owner }) => ({
      role,
      tasks,
      user: personOf(owner),
      load: loads.get(owner ?? '') ?? null,
    })),
    conflicts,
  }
}

function rowOf({
  ref,
  start_date,
  due_date,
}: {
  ref: string
  start_date: string
  due_date: string
}) {
  return { ref, start_date, due_date }
}
