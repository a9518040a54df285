import { addressOf } from '../../api/request.ts'
import type { ListParams } from '../../data/list.ts'
import { searchOf } from '../../data/list.ts'

const paths: { [module: string]: string } = {
  companies: '/api/company/export/',
  contacts: '/api/contact/export/',
  accounts: '/api/exports/accounts/',
  deals: '/api/exports/deals/',
  projects: '/api/exports/projects/',
  tasks: '/api/exports/tasks/',
  tags: '/api/exports/tags/',
}

/**
 * The address of a list as CSV, or of some of its records by id; undefined if its module has no
 * export.
 */
export function exportAddress(
  module: string,
  params: ListParams,
  selected?: { key: string; ids: string[] },
): string | undefined {
  const path = paths[module]
  if (!path) return undefined
  const { more: _only, ...asked } = params
  if (!selected) return addressOf(path, searchOf(asked))
  const filter = [{ field: selected.key, operator: 'in', value: selected.ids }]
  const { sort } = asked
  return addressOf(path, searchOf({ ...(sort ? { sort } : {}), filter }))
}
