import { useQuery } from '@tanstack/react-query'
import { pipelinesQuery } from '../../data/deal.ts'

/** The lanes whose stage means that a deal is lost; none if the board does not ask for a reason. */
export function useLostLanes(isAsked: boolean): ReadonlySet<string> {
  const { data = [] } = useQuery({ ...pipelinesQuery, enabled: isAsked })
  const stages = data.flatMap((pipeline) => pipeline.stages)
  return new Set(
    stages.filter(({ category }) => category === 'lost').map(({ stage_id }) => stage_id),
  )
}
