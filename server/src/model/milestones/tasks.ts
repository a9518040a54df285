import { Type } from 'typebox'
import { orNull } from '../../kit/ground/json-schema.ts'
import { listOf } from '../../kit/record/fields.ts'
import { inPlace } from '../../kit/record/rank.ts'
import { linkedId, rowsOf } from '../../kit/record/readable.ts'

/** The tasks of a milestone that the reader may read, in their order; subtasks name their parent where the reader may read it. */
export const tasksShown = listOf(
  {
    item_id: Type.String(),
    parent_id: orNull(Type.String()),
    title: Type.String(),
    item_type: Type.Integer(),
    status: Type.Object({
      status_id: Type.String(),
      status_key: Type.String(),
      status_name: Type.String(),
      category: Type.String(),
    }),
    is_completed: Type.Boolean(),
    due_date: orNull(Type.String({ format: 'date' })),
    position: Type.Integer(),
  },
  {
    title: 'MilestoneTask',
    filterable: false,
    expression: `(select coalesce(jsonb_agg(jsonb_build_object('item_id', k.id, 'parent_id', ${linkedId('tasks', 'k.parent_id')},
        'title', k.title, 'item_type', k.item_type, 'status', jsonb_build_object('status_id', s.id,
          'status_key', s.status_key, 'status_name', s.status_name, 'category', s.category),
        'is_completed', k.is_completed, 'due_date', k.due_date, 'position', k.position)
        order by ${inPlace('k')}, k.id), '[]')
      from ${rowsOf('tasks')} k
      join statuses s on s.organization_id = $organization and s.id = k.status_id
      where k.organization_id = $organization and k.milestone_id = t.id and k.deleted_at is null)`,
  },
)
