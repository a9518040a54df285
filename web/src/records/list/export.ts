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

/** How a list is written: a workbook, or CSV as Excel expects it where people write `8,5`, or as programs do. */
export type ExportFormat = 'xlsx' | 'csv' | 'csv-comma'

const looks: { [format in ExportFormat]: { [name: string]: string } } = {
  xlsx: { format: 'xlsx', labels: 'true' },
  csv: {},
  'csv-comma': { bom: 'true', sep: 'semicolon', decimal: 'comma', dates: 'local', labels: 'true' },
}

/**
 * The address of a list as a file, or of some of its records by id; undefined if its module has no
 * export.
 */
export function exportAddress(
  module: string,
  params: ListParams,
  format: ExportFormat,
  selected?: { key: string; ids: string[] },
): string | undefined {
  const path = paths[module]
  if (!path) return undefined
  const { more: _only, ...asked } = params
  if (!selected) return addressOf(path, { ...searchOf(asked), ...looks[format] })
  const filter = [{ field: selected.key, operator: 'in', value: selected.ids }]
  const { sort } = asked
  const own = searchOf({ ...(sort ? { sort } : {}), filter })
  return addressOf(path, { ...own, ...looks[format] })
}
