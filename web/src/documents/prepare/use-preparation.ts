import { useQuery } from '@tanstack/react-query'
import { preparationQuery, storePreparation } from '../../data/preparations.ts'
import { queryClient } from '../../data/query-client.ts'
import { useStoredDraft } from '../../data/use-stored-draft.ts'
import type { Preparation } from './preparation.ts'
import { fromStored, merged, toStored } from './preparation.ts'

const kindOf = (id: string) => ({
  draftOf: fromStored,
  merged,
  store: (now: Preparation, { version }: { version: number }, keepalive: boolean) =>
    storePreparation(id, toStored(now), version, keepalive),
  read: () => queryClient.fetchQuery(preparationQuery(id)),
})

/**
 * What is prepared for a document, for everybody who may change it: it stores itself, keeps what others change, and
 * its steps can be undone. `now` is undefined until it is read.
 */
export function usePreparation(id: string, isEnabled: boolean) {
  const { data, error, refetch } = useQuery({ ...preparationQuery(id), enabled: isEnabled })
  const { draft: now, stored, ...edited } = useStoredDraft(id, 'preparation', data, kindOf)
  return { ...edited, now, error, refetch, hasChanged: (stored?.version ?? 0) > 0 }
}
