import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { keys } from './keys.ts'

export type Forecasts = AnswerOf<'/api/projects/forecasts/', 'get'>
export type GoLiveForecast = Forecasts['rows'][number]

/** When projects go live by what finished tasks slipped by; `version` changes with what it follows from. */
export function forecastsQuery(ids: string[], version: string) {
  return queryOptions({
    queryKey: keys.list('projects', { forecasts: ids, version }),
    queryFn: async ({ signal }) =>
      (await api.get('/api/projects/forecasts/', { query: { project_ids: ids.join() }, signal }))
        .data,
    enabled: ids.length > 0,
    staleTime: 60_000,
  })
}
