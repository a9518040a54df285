import { records } from '../records/definition.ts'

export const tags = records('tags', {
  icon: 'tag',
  table: ['tag_name', 'description', 'is_predefined'],
  form: ['tag_name', 'description'],
  tabs: [],
  sort: ['tag_name'],
  empty: 'Tags group records that belong together, of any kind.',
})
