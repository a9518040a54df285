import { records } from '../records/definition.ts'
import { t } from '../locales/text.ts'

export const tags = records('tags', {
  icon: 'tag',
  table: ['tag_name', 'description', 'is_predefined'],
  form: ['tag_name', 'description'],
  tabs: [],
  sort: ['tag_name'],
  empty: t('Tags group records that belong together, of any kind.'),
})
