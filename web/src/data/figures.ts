import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from './keys.ts'
import type { Condition, ListParams } from './list.ts'
import { searchOf } from './list.ts'
import type { Place } from './modules.ts'

export type Unit = components['schemas']['GroupUnit']
/** One number of a group: an amount in its currency, any other number without. */
export type Figure = components['schemas']['GroupFigure']
type Value = string | boolean | null

/** The records of a value of one field, and what finds them. */
export type FigureGroup = {
  value: Value
  label: string | null
  color: string | null
  count: number
  filter: Condition[]
  figures: Figure[]
}

/** A list in figures: the groups with their cells, the columns, and the whole. */
export type Figures = {
  groups: (FigureGroup & { cells: { value: Value; count: number; figures: Figure[] }[] })[]
  columns: FigureGroup[]
  figures: Figure[]
  total: number
  left_out: { groups: number; columns: number }
}

/** By what a list is grouped, and what is measured of each group. */
export type Measured = {
  by: string
  unit?: Unit
  /** the size of ranges of numbers */
  width?: number
  then?: string
  then_unit?: Unit
  measures: string
}

/** What a list adds up to, with the rights and conditions of the list. */
export function figuresQuery(
  module: Pick<Place, 'module' | 'path'>,
  { by, unit, width, then, then_unit, measures, ...list }: ListParams & Measured,
) {
  const query = { ...searchOf(list), by, unit, width, then, then_unit, measures }
  return queryOptions({
    queryKey: keys.groups(module.module, query),
    queryFn: async ({ signal }) =>
      (await request<Figures>('GET', `${module.path}groups/`, { signal, query })).data,
    placeholderData: keepPreviousData,
    retry: false,
  })
}
