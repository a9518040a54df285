import { queryOptions } from '@tanstack/react-query'
import { keys } from '../data/keys.ts'
import type { Screens } from './definition.ts'

/**
 * What the page of a record needs besides the record, read with it: parts that came later would move what is below
 * them. What cannot be read is read again where it is shown, and its failure is shown there.
 */
export function neededQuery(screens: Screens, id: string) {
  return queryOptions({
    queryKey: keys.needed(screens.module, id),
    queryFn: async () => {
      await screens.prefetch?.(id, screens).catch(() => {})
      return true
    },
    staleTime: Infinity,
  })
}
