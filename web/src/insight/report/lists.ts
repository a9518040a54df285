import { useQuery } from '@tanstack/react-query'
import type { Clause } from '../../data/list.ts'
import { modulesQuery } from '../../data/modules.ts'
import type { Screens } from '../../records/definition.ts'
import { screens } from '../../screens.ts'

/** The kinds of records that reports are made of: those with a list. */
export const lists = {
  /** The screens of a module's list; undefined where it has none. */
  of: (module: string | undefined): Screens | undefined =>
    screens.find((each) => each.module === module),
  /** The modules with a list that the person may read. */
  useKnown() {
    const { data = [] } = useQuery(modulesQuery)
    return data.filter(({ module, can }) => lists.of(module) && can.read !== 'none')
  },
}

/** The address of a list with conditions, as a table. */
export function listAddress({ address, as }: Screens, filter: Clause[]): string {
  const parts = [
    ...(as === 'board' ? ['as=table'] : []),
    ...(filter.length ? [`f=${encodeURIComponent(JSON.stringify(filter))}`] : []),
  ]
  return parts.length ? `${address}?${parts.join('&')}` : address
}
