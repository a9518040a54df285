import { inPlace } from '../../kit/record/rank.ts'
import { openRowsOf, rowsOf } from '../../kit/record/readable.ts'
import { Type } from 'typebox'
import { orNull, schema } from '../../kit/ground/json-schema.ts'
import { list, listOf, objectOf } from '../../kit/record/fields.ts'

const here = 'organization_id = $organization'
const optionShown = {
  value: Type.String(),
  label: Type.String(),
  color: orNull(Type.String()),
  icon: orNull(Type.String()),
}

/** The priority as its option shows it. */
export const priorityShown = objectOf(optionShown, {
  nullable: true,
  title: 'TaskPriority',
  optionSet: { module: 'tasks', name: 'priorities' },
  word: 't.priority',
  expression: `(select jsonb_build_object('value', o.value, 'label', o.label, 'color', o.color,
          'icon', o.icon) from option_sets o where o.${here} and o.module = 'tasks'
          and o.set_name = 'priorities' and o.value = t.priority
        union all select jsonb_build_object('value', t.priority, 'label', t.priority, 'color', null,
          'icon', null) where t.priority is not null limit 1)`,
})

/** Further people of a task: stored as ids, shown with names. */
export const usersShown = list(schema<string>({}), {
  default: [],
  filterable: false,
  shown: listOf(
    {
      user_id: Type.String(),
      full_name: Type.String(),
      email: Type.String(),
      profile_image: orNull(Type.String()),
    },
    { title: 'TaskUser' },
  ),
  read: `case when t.users = '[]' then t.users else (
        select coalesce(jsonb_agg(jsonb_build_object('user_id', u.id, 'full_name', u.full_name,
          'email', u.email, 'profile_image', u.profile_image) order by u.id), '[]')
        from ${openRowsOf('users')} u where u.${here}
          and u.id = any(array(select jsonb_array_elements_text(t.users)))) end`,
})

/**
 * Documents attached to a task, as far as the reader may read them. Private ones are left out.
 */
export const attachmentsShown = listOf(
  {
    attach_id: Type.String(),
    document_name: Type.String(),
    file_name: orNull(Type.String()),
    file_type: orNull(Type.String()),
    file_size: orNull(Type.Integer()),
    file_icon: orNull(Type.String()),
  },
  {
    title: 'TaskAttachment',
    filterable: false,
    expression: `(select coalesce(jsonb_agg(jsonb_build_object('attach_id', d.id, 'document_name',
          d.document_name, 'file_name', d.file_name, 'file_type', d.file_type, 'file_size',
          d.file_size, 'file_icon', d.file_icon) order by d.id), '[]')
        from ${rowsOf('documents')} d where d.${here} and d.module_id = 1 and d.reference_id = t.id
          and d.latest_version and not d.is_private and d.deleted_at is null)`,
  },
)

/** The subtasks of a task, in their order; private and internal ones only if the task is private or internal itself. */
export const subItemsShown = listOf(
  {
    item_id: Type.String(),
    title: Type.String(),
    is_completed: Type.Boolean(),
    due_date: orNull(Type.String({ format: 'date' })),
    position: Type.Integer(),
  },
  {
    title: 'SubItem',
    filterable: false,
    expression: `(select coalesce(jsonb_agg(jsonb_build_object('item_id', s.id, 'title', s.title,
          'is_completed', s.is_completed, 'due_date', s.due_date, 'position', s.position)
          order by ${inPlace('s')}, s.id), '[]')
        from ${rowsOf('tasks')} s where s.${here} and s.parent_id = t.id and s.deleted_at is null
          and (not s.is_private or t.is_private)
          and (s.visibility = 'shared' or t.visibility <> 'shared'))`,
  },
)
