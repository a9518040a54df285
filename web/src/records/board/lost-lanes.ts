import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

/** The lanes whose stage means that a deal is lost; none if the board does not ask for a reason. */
export function useLostLanes(isAsked: boolean): ReadonlySet<string> {
  const { data = [] } = useQuery({
    queryKey: ['pipelines'],
    queryFn: async () => (await api.get('/api/pipelines/')).data,
    enabled: isAsked,
    staleTime: 300_000,
  })
  const stages = data.flatMap(({ stages: all }) => all as { stage_id: string; category: string }[])
  return new Set(
    stages.filter(({ category }) => category === 'lost').map(({ stage_id }) => stage_id),
  )
}
