import { useQueries, useQuery } from '@tanstack/react-query'
import type { Module } from '../../data/modules.ts'
import { moduleQuery, modulesQuery } from '../../data/modules.ts'
import { withLinked } from './question.ts'

/** The modules whose fields are worth a group of the records that lead to them. */
const targets = ['accounts', 'projects', 'deals', 'companies', 'contacts', 'milestones']

/**
 * A module with the fields of the records that it leads to, as far as the person reads all of these; only of those
 * that are named, if some are (`account_id.segment`).
 */
export function useGroupedModule(
  name: string,
  fields?: (string | undefined)[],
): {
  module: Module | undefined
  error: Error | null
  refetch: () => unknown
} {
  const { data, error, refetch } = useQuery(moduleQuery(name))
  const linked = new Set(
    data?.fields.flatMap(({ name: link, reference }) =>
      !fields || fields.some((each) => each?.startsWith(`${link}.`))
        ? (reference?.module ?? [])
        : [],
    ),
  )
  const possible = targets.filter((each) => linked.has(each))
  const modules = useQuery({ ...modulesQuery, enabled: possible.length > 0 })
  const known = possible.length ? modules.data : []
  const named = possible.filter((each) =>
    known?.some(({ module, can }) => module === each && can.read === 'all'),
  )
  const found = useQueries({ queries: named.map((each) => moduleQuery(each)) })
  const read = found.flatMap(({ data: module }) => module ?? [])
  // a field of a question may be of a record that is still read
  const isReady = known !== undefined && found.every(({ isPending }) => !isPending)
  return {
    module: data && isReady ? withLinked(data, read) : undefined,
    error: error ?? (known ? null : modules.error),
    refetch: () => Promise.all([refetch(), possible.length ? modules.refetch() : undefined]),
  }
}
