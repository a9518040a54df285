import { openRowsOf } from '../../kit/record/readable.ts'

/** A list of tags by their names, as a field: customers and partners are shown the shared ones. */
export const tagged = {
  look: 'tags',
  audience: {
    read: `(select coalesce(jsonb_agg(x.tag order by x.n), '[]')
    from jsonb_array_elements(case when jsonb_typeof(t.tags) = 'array' then t.tags else '[]' end)
      with ordinality x (tag, n)
    where exists (select from ${openRowsOf('tags')} g where g.organization_id = $organization
      and lower(g.tag_name) = lower(x.tag #>> '{}') and g.is_shared and g.deleted_at is null))`,
  },
} as const
