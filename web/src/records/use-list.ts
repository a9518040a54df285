import { useQuery } from '@tanstack/react-query'
import { useMatches, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ListParams } from '../data/list.ts'
import { listQuery } from '../data/list.ts'
import type { Module } from '../data/modules.ts'
import { fieldOf } from '../data/modules.ts'
import type { Screens } from './definition.ts'
import type { ListSearch } from './search.ts'
import { listSearch } from './search.ts'
import { sortOf } from './sort.ts'

/** The record type of the page that is open. */
export function useScreens(): Screens {
  const found = useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.screens),
  })?.staticData.screens
  if (!found) throw new Error('this page is of no record type')
  return found
}

/** The list's part of the address, and a function to change it; undefined values are left out. */
export function useListSearch(): [
  ListSearch,
  (change: Partial<ListSearch>, replace?: boolean) => void,
] {
  const raw: { [name: string]: unknown } = useSearch({ strict: false })
  // the router would add again what a route has dropped, as part of its parent's search
  const search = useMemo(() => listSearch(raw), [raw])
  const navigate = useNavigate()
  return [
    search,
    (change, replace = false) =>
      void navigate({
        to: '.',
        search: ((before: ListSearch) => ({ ...before, ...change })) as never,
        replace,
        resetScroll: false,
      }),
  ]
}

/** The columns of a table, from the address, else the declared ones; only those that the person may see. */
export function columnsOf(module: Module, screens: Screens, cols?: string): string[] {
  const wanted = cols ? cols.split(',') : screens.table
  const known = wanted.filter((name) => fieldOf(module, name))
  return known.includes(module.title_field) ? known : [module.title_field, ...known]
}

/** The query of a list, from its address. */
export function paramsOf(
  module: Module,
  screens: Screens,
  search: ListSearch,
  columns: string[],
): ListParams {
  // a view's conditions are in the address too, so that they can be changed and shared
  const { q, f, page, size } = search
  // conditions that name a field that is gone are a 400; the stored ones, a list that opens
  const stored = search.view && namesGone(module, JSON.stringify(f ?? [])) ? search.view : undefined
  const wanted = namesGone(module, JSON.stringify(search.sort ?? '')) ? undefined : search.sort
  const sort = sortOf(module, wanted) ?? screens.sort
  return {
    ...(q ? { q } : {}),
    ...(sort ? { sort } : {}),
    ...(f && !stored ? { filter: f } : {}),
    ...(page ? { page } : {}),
    ...(size ? { size } : {}),
    ...(screens.only || stored
      ? { more: { ...screens.only, ...(stored ? { filter_id: stored } : {}) } }
      : {}),
    fields: fieldsFor(module, columns),
  }
}

/** Whether a text with names of fields has one of a custom field that the module does not have. */
function namesGone(module: Module, text: string): boolean {
  const named = text.matchAll(/custom_fields\.[a-z0-9_]+/g)
  return [...named].some(([name]) => !fieldOf(module, name))
}

/** The page of the list that is open. */
export function useRows(module: Module, params: ListParams) {
  return useQuery(listQuery(module, params))
}

/** The fields that columns need: themselves, the id, the version, and the titles of linked ids. */
export function fieldsFor(module: Module, columns: string[]): string[] {
  const beside = columns.flatMap((name) => {
    const field = fieldOf(module, name)
    if (field?.type === 'currency') return ['currency_unit']
    // completed records are not overdue
    if (field?.type === 'date') return ['is_completed', 'completed_at', 'closed_at']
    if (field?.type !== 'reference' || !name.endsWith('_id')) return []
    const base = name.replace(/_id$/, '')
    return [base, `${base}_name`]
  })
  const roots = [module.key, module.title_field, ...columns, ...beside].map((name) =>
    name.startsWith('custom_fields.') ? 'custom_fields' : name,
  )
  const known = (name: string) => name === 'custom_fields' || fieldOf(module, name) !== undefined
  // no fields that a module describes, but every change is sent with the version, and offered only where it is allowed
  return [...new Set([...roots.filter(known), 'version', 'can'])]
}
