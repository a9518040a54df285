import { useInfiniteQuery } from '@tanstack/react-query'
import type { Group, GroupParams } from './groups.ts'
import { laneSize, readLane } from './groups.ts'
import { keys } from './keys.ts'
import type { Place } from './modules.ts'
import type { AnyRecord } from './record.ts'
import { idOf } from './record.ts'

/**
 * The records of a lane after those in the answer of the groups, page by page. Those that the groups contain
 * are left out: a move may have brought them to the front.
 */
export function useMoreOfLane(
  module: Pick<Place, 'module' | 'path' | 'key'>,
  params: GroupParams,
  lane: Group,
  isWanted: boolean,
) {
  const query = useInfiniteQuery({
    queryKey: [...keys.groupings(module.module), 'lane', lane.value, params],
    queryFn: ({ pageParam }) => readLane(module, params, lane.value, pageParam),
    initialPageParam: 2,
    getNextPageParam: (last, pages) => (last.length < laneSize ? undefined : pages.length + 2),
    enabled: isWanted && lane.count > laneSize,
  })
  const first = new Set(lane.records.map((record) => idOf(module, record)))
  const more: AnyRecord[] = (query.data?.pages.flat() ?? []).filter(
    (record) => !first.has(idOf(module, record)),
  )
  return {
    more,
    hasMore: lane.count > laneSize && (query.data === undefined || query.hasNextPage),
    readMore: () => {
      if (query.data && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
    },
  }
}
