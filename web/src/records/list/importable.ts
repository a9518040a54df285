import type { ImportModule } from '../../data/imports.ts'

/** What can be imported, by the words of imports, which are those of the lists' addresses. */
export const importable: readonly ImportModule[] = [
  'companies',
  'contacts',
  'accounts',
  'deals',
  'projects',
  'tasks',
  'meetings',
  'tags',
]
