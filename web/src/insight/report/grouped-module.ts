import { useQueries, useQuery } from '@tanstack/react-query'
import type { Module } from '../../data/modules.ts'
import { moduleQuery, modulesQuery } from '../../data/modules.ts'
import { withLinked } from './question.ts'

/** The modules whose fields are worth a group of the records that lead to them. */
const targets = ['accounts', 'projects', 'deals', 'companies', 'contacts', 'milestones']

/** A module with the fields of the records that it leads to, as far as the person reads all of these. */
export function useGroupedModule(name: string): {
  module: Module | undefined
  error: Error | null
  refetch: () => unknown
} {
  const { data, error, refetch } = useQuery(moduleQuery(name))
  const { data: known } = useQuery(modulesQuery)
  const linked = new Set(data?.fields.flatMap(({ reference }) => reference?.module ?? []))
  const named = targets.filter(
    (each) =>
      linked.has(each) && known?.some(({ module, can }) => module === each && can.read === 'all'),
  )
  const found = useQueries({ queries: named.map((each) => moduleQuery(each)) })
  const read = found.flatMap(({ data: module }) => module ?? [])
  // a field of a question may be of a record that is still read
  const isReady = known !== undefined && found.every(({ isPending }) => !isPending)
  return { module: data && isReady ? withLinked(data, read) : undefined, error, refetch }
}
