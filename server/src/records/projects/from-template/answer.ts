import { Type } from 'typebox'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { dayText } from '../../../schedule/workdays.ts'
import type { DatedPlan } from '../../templates/dated.ts'
import type { Concern } from './concerns.ts'
import { concernKinds } from './concerns.ts'

const day = Type.String({ format: 'date' })
const person = Type.Object(
  { user_id: Type.String(), full_name: Type.String() },
  { title: 'TemplatePerson', additionalProperties: false },
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
        { role: Type.String(), tasks: Type.Integer(), user: orNull(person) },
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
  { conflicts, hasRows }: { conflicts: Concern[]; hasRows: boolean },
) {
  const text = (at: number | null) => (at === null ? null : (dayText(at) ?? null))
  const personOf = (id: string | null) =>
    id === null ? null : { user_id: id, full_name: names.get(id) ?? '' }
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
    rows: hasRows ? plan.milestones.flatMap((each) => [each, ...each.dated].map(rowOf)) : [],
    roles: [...plan.roles.values()].map(({ role, tasks, owner }) => ({
      role,
      tasks,
      user: personOf(owner),
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
