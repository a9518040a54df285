import { Type } from 'typebox'
import type { Static } from 'typebox'
import { byId } from '../../kit/crud.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/read/one.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { scope } from '../../kit/record/scope.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { Task } from '../../model/tasks/task.ts'
import { readableEntries } from '../activity/visible.ts'

/** How many forms of a project are listed. */
const most = 500

const projectForm = Type.Object(
  {
    item_id: Type.String({ description: 'the task that has the form' }),
    title: Type.String({ description: 'of the task' }),
    form_id: orNull(
      Type.String({ description: 'the form that its questions are of; null if they are its own' }),
    ),
    form_name: orNull(Type.String({ description: 'null where the caller may not read it' })),
    state: enumeration(['open', 'draft', 'answered'], {
      title: 'ProjectFormState',
      description: 'without an answer, with some, or completed',
    }),
    answer_count: Type.Integer({ description: 'how many questions have an answer' }),
    owner_name: orNull(Type.String({ description: 'who is to answer' })),
    due_date: orNull(Type.String({ format: 'date' })),
    answered_by: orNull(
      Type.String({
        description: 'who stored an answer last; null where the caller may not read the log',
      }),
    ),
    answered_at: orNull(Type.String({ format: 'date-time', description: 'when they did' })),
  },
  { title: 'ProjectForm', additionalProperties: false },
)

/** The forms that the tasks of a project have, and what became of each. */
export const projectForms = operation({
  name: 'list_project_forms',
  summary: 'List the forms of a project',
  description: `The tasks of it that the caller may read and that have questions, in the order of their due dates; at most ${most}.`,
  can: { module: 'tasks', action: 'read' },
  writes: false,
  input: { params: byId },
  output: Type.Object(
    { forms: Type.Array(projectForm, { description: 'one a task' }) },
    { title: 'ProjectForms', additionalProperties: false },
  ),
  async run(ctx, { params: { id } }) {
    await checkReadable(ctx, ProjectOrDeal, id)
    const forms = await ctx.all<Static<typeof projectForm>>(sql`
      select found.item_id, found.title, found.form_id, s.name as form_name,
        case when found.is_completed then 'answered' when found.answer_count > 0 then 'draft'
          else 'open' end as state,
        found.answer_count, u.full_name as owner_name, found.due_date, last.actor_name as answered_by,
        last.occurred_at as answered_at
      from (
        select t.id as item_id, t.title, t.form_id, t.is_completed, t.owner, t.due_date,
          (select count(*) from jsonb_each(coalesce(t.form_responses, '{}')) as a
            where a.value <> 'null')::integer as answer_count
        from tasks t
        where ${scope(ctx, Task, 'read')} and t.project_id = ${id}
          and jsonb_path_exists(t.form_structure, '$.pages[*].fields[*]')
        order by t.due_date nulls last, t.id limit ${most}
      ) as found
      left join ${readableRows(ctx, 'surveys')} s on ${mine(ctx, 's')} and s.id = found.form_id
        and s.deleted_at is null
      left join users u on ${mine(ctx, 'u')} and u.id = found.owner
      left join lateral (
        select e.actor_name, e.occurred_at from events e
        where (found.answer_count > 0 or found.is_completed) and ${readableEntries(ctx)}
          and e.module_id = ${Task.number} and e.reference_id = found.item_id
          and e.changes::jsonb @> '[{"field": "form_responses"}]'
        order by e.id desc limit 1
      ) last on true
      order by found.due_date nulls last, found.item_id`)
    return { forms }
  },
})
