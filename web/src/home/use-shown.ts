import { useEffect, useState } from 'react'
import type { Changed } from '../api/live.ts'
import { onOthersChange } from '../data/follow.ts'
import type { GroupName, Home, HomeRow } from '../data/home.ts'
import type { Ghost } from './shown.ts'
import { afterAnswer } from './shown.ts'
import { t } from '../locales/text.ts'

/** The day with what stands there for a moment longer: rows that are done or gone, and the one that has the focus. */
export function useShown(home: Home | undefined, active: string | undefined) {
  const others = useOthers()
  const [state, setState] = useState<State>({ home, ghosts: [], entered: [], own: noRows })
  let shown = state
  if (home && home !== state.home) {
    shown = state.home
      ? {
          ...state,
          home,
          ...afterAnswer(state.home, home, state.ghosts, { own: state.own, others, active }),
        }
      : { ...state, home }
    setState(shown)
  }
  // once the focus has left a row, it goes to its place
  const isLeft = ({ row, state: its }: Ghost) => its === 'held' && row.id !== active
  if (shown.ghosts.some(isLeft)) {
    shown = { ...shown, ghosts: shown.ghosts.filter((each) => !isLeft(each)) }
    setState(shown)
  }
  const drop = (ids: string[]) =>
    setState((before) => ({
      ...before,
      ghosts: before.ghosts.filter(({ row }) => !ids.includes(row.id)),
    }))
  return {
    ghosts: shown.ghosts,
    entered: shown.entered,
    /** Says that a row is changed here, and what stays of it for a while. */
    act: (row: HomeRow, ghost?: { group: GroupName; index: number }) =>
      setState((before) => ({
        ...before,
        own: new Set([...before.own, row.id]),
        ghosts: [
          ...before.ghosts.filter((each) => each.row.id !== row.id),
          ...(ghost ? [{ row, ...ghost, state: 'done' as const }] : []),
        ],
      })),
    drop,
  }
}

type State = {
  home: Home | undefined
  ghosts: Ghost[]
  entered: string[]
  own: ReadonlySet<string>
}
const noRows: ReadonlySet<string> = new Set()

/** What others have changed while the page is open, in words. */
function useOthers(): ReadonlyMap<string, string> {
  const [others, setOthers] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(
    () =>
      onOthersChange((module, id, event) => {
        if (module === 'tasks') setOthers((before) => new Map([...before, [id, wordsOf(event)]]))
      }),
    [],
  )
  return others
}

function wordsOf({ change, fields }: Changed): string {
  if (change === 'deleted') return t('Deleted meanwhile')
  if (fields.includes('owner')) return t('Given to somebody else meanwhile')
  if (fields.includes('is_completed') || fields.includes('status')) return t('Done meanwhile')
  return t('Changed meanwhile')
}
