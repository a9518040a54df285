import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import type { Follow, PlanMove, PlanOp } from '../../data/plan-moves.ts'
import { movePlan, planMoveQuery, tasksIn } from '../../data/plan-moves.ts'
import { announce } from '../../ui/announce.tsx'
import { usePaused } from '../../ui/use-paused.ts'
import { useStateFor } from '../../ui/use-state-for.ts'
import { t } from '../../locales/text.ts'

/** What is to be done once a person agrees: its operations, and the row that they begin with. */
export type Pending = { id: string; title: string; ops: PlanOp[] }

export type Preview = ReturnType<typeof usePreview>

/** What a change would move besides, by the service, until it is applied or left. */
export function usePreview(projectId: string, pending: Pending | undefined, onDone: () => void) {
  const [follow, setFollow] = useState<Follow>('use_gaps')
  const [isBusy, setBusy] = useState(false)
  const move: PlanMove = { ops: pending?.ops ?? [], follow }
  const asked = JSON.stringify(move)
  const isPaused = usePaused(asked, 150) === asked
  const [refusal, setRefusal] = useStateFor<string | null>(null, asked)
  const found = useQuery({
    ...planMoveQuery(projectId, move),
    enabled: pending !== undefined && isPaused,
    placeholderData: keepPreviousData,
  })
  const data = pending ? found.data : undefined
  const isCurrent = data !== undefined && !found.isPlaceholderData && !found.error && isPaused
  // somebody else changed the plan while it was looked at
  const [first, setFirst] = useStateFor<string | undefined>(undefined, asked)
  const version = isCurrent ? data.plan_version : undefined
  if (version !== undefined && first === undefined) setFirst(version)
  const isRecounted = version !== undefined && first !== undefined && version !== first
  const count = tasksIn(data?.moved ?? [])
  const words = isCurrent ? t('{count} task moves | {count} tasks move', { count }) : undefined
  useEffect(() => {
    if (words) announce(words)
  }, [words])

  async function apply(of: Follow = follow) {
    if (!isCurrent || isBusy) return
    setBusy(true)
    try {
      await movePlan(projectId, { ...move, follow: of }, data.plan_version)
      onDone()
    } catch (error) {
      setRefusal(asProblem(error).message)
      void found.refetch()
    } finally {
      setBusy(false)
    }
  }

  const problem = pending && found.error ? asProblem(found.error).message : refusal
  return { pending, data, isCurrent, isRecounted, isBusy, problem, follow, setFollow, apply }
}
