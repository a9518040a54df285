import type { GroupName, Home, HomeRow } from '../data/home.ts'
import { placeOf } from '../data/home.ts'

/**
 * A row that stands where it stood though the answer has it no more, or elsewhere: done here, taken away by somebody
 * else, or held in its place because the focus is on it.
 */
export type Ghost = {
  row: HomeRow
  group: GroupName
  index: number
  state: 'done' | 'gone' | 'held'
  /** what became of it */
  words?: string
}

export type ShownRow = { row: HomeRow; state?: Ghost['state']; words?: string }

/** What is known of the changes between two answers. */
export type Changes = {
  /** rows that were changed on this page */
  own: ReadonlySet<string>
  /** rows that somebody else has changed, with what became of them */
  others: ReadonlyMap<string, string>
  /** the row that has the focus */
  active: string | undefined
}

const names: GroupName[] = ['late', 'today', 'week', 'waiting']

/** What identifies a row on the page: meetings of a series have one id. */
export function keyOf({ kind, id, due }: HomeRow): string {
  return kind === 'meeting' ? `${id} ${due}` : id
}

/** The ghosts after another answer, and the rows that somebody else has brought in. */
export function afterAnswer(
  before: Home,
  next: Home,
  ghosts: Ghost[],
  { own, others, active }: Changes,
): { ghosts: Ghost[]; entered: string[] } {
  const stays = ghosts.filter(({ row, state }) => state === 'held' || !placeOf(next, row.id))
  const known = new Set(stays.map(({ row }) => row.id))
  const found: Ghost[] = []
  for (const group of names) {
    for (const [index, row] of before.groups[group].rows.entries()) {
      if (row.kind !== 'task' || own.has(row.id) || known.has(row.id)) continue
      const now = placeOf(next, row.id)
      const words = others.get(row.id)
      if (!now && words) found.push({ row, group, index, state: 'gone', words })
      else if (now && row.id === active) {
        const moved = next.groups[now].rows.find(({ id }) => id === row.id) ?? row
        const at = next.groups[now].rows.indexOf(moved)
        if (now !== group || at !== index) {
          found.push({ row: moved, group, index, state: 'held' })
        }
      }
    }
  }
  const entered = names
    .flatMap((name) => next.groups[name].rows)
    .filter(({ id }) => !own.has(id) && placeOf(before, id) !== placeOf(next, id))
    .map(({ id }) => id)
  return { ghosts: [...stays, ...found], entered }
}

/** The rows of a group as they are shown: those of the answer, and the ghosts at their places. */
export function rowsOf(home: Home, group: GroupName, ghosts: Ghost[]): ShownRow[] {
  const held = new Set(ghosts.map(({ row }) => row.id))
  const rows: ShownRow[] = home.groups[group].rows
    .filter(({ id }) => !held.has(id))
    .map((row) => ({ row }))
  for (const { row, index, state, words, ...ghost } of ghosts.toSorted(
    (a, b) => a.index - b.index,
  )) {
    if (ghost.group === group) rows.splice(index, 0, { row, state, ...(words ? { words } : {}) })
  }
  return rows
}
