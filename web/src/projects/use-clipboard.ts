import type { ClipboardEvent } from 'react'
import { useState } from 'react'
import type { Values } from '../data/change.ts'
import { personIn } from '../records/field/linked.ts'
import { readDuplicates } from './copied.ts'
import type { Copied } from './copied.ts'
import { placeBehind } from './places.ts'
import type { PlanRow, RealRow } from './tree.ts'
import type { Column } from './columns.ts'
import type { useCells } from './use-cells.ts'
import type { useDraft } from './use-draft.ts'
import type { Selected } from './use-selected.ts'
import type { Work } from './use-work.ts'
import { isReal } from './tree.ts'
import type { AddedAs } from './use-new-lines.ts'

/** Rows as the clipboard holds them besides their text. */
const kind = 'application/x-perennial-plan'

/** Rows to and from the clipboard: as text with tabs, and as rows that are moved or made again. */
export function useClipboard(
  work: Work,
  cells: ReturnType<typeof useCells<Column>>,
  line: ReturnType<typeof useDraft<PlanRow>>,
  selected: Selected,
) {
  const { rows, actions, may, mayCreate } = work
  const [cut, setCut] = useState<ReadonlySet<string>>(new Set())
  const active = rows.find(({ id }) => id === cells.active?.id)
  /** The chosen rows with all below them, in the order of the plan. */
  const chosen = () => {
    const ids = selected.ids.size ? selected.ids : new Set([active?.id])
    const tops = actions.all.filter(isReal).filter(({ id }) => ids.has(id))
    const all = new Set(tops.flatMap((row) => [row.id, ...actions.below(row).map(({ id }) => id)]))
    return actions.all.filter(isReal).filter(({ id }) => all.has(id))
  }
  const put = (event: ClipboardEvent, list: RealRow[]) => {
    const copied = copiedOf(list)
    event.clipboardData.setData('text/plain', textOf(list))
    event.clipboardData.setData(kind, JSON.stringify(copied))
    event.preventDefault()
  }
  /** New rows like these behind a row; a milestone's among the milestones. */
  const addBehind = (copied: Copied[], behind: PlanRow, word: AddedAs) => {
    const isTop = copied.some(({ isMilestone }) => isMilestone)
    if (!mayCreate || (isTop && !work.rights.mayPlan)) return
    const level = isTop ? 1 : Math.max(2, behind.level)
    work.addAll(copied, placeBehind(actions.all, behind.id, level), word)
  }
  return {
    /** rows that were cut, and stay until they are pasted */
    cut,
    copy: (event: ClipboardEvent) => {
      const list = chosen()
      if (!list.length) return
      setCut(new Set())
      put(event, list)
    },
    cutOut: (event: ClipboardEvent) => {
      const list = chosen().filter((row) => may(row).change)
      if (!list.length) return
      put(event, list)
      setCut(new Set(list.map(({ id }) => id)))
    },
    paste: (event: ClipboardEvent) => {
      if (!active) return
      const text = event.clipboardData.getData('text/plain')
      const copied = readDuplicates(event.clipboardData.getData(kind))
      const moved = copied ? actions.all.filter(isReal).filter(({ id }) => cut.has(id)) : []
      if (moved.length && !cut.has(active.id)) {
        event.preventDefault()
        const [first] = moved
        const level = first?.kind === 'milestone' ? 1 : Math.max(2, active.level)
        setCut(new Set())
        actions.quietly(actions.moveToPlace(moved, placeBehind(actions.all, active.id, level)))
      } else if (copied) {
        event.preventDefault()
        addBehind(copied, active, 'row')
      } else if (text.trim().includes('\n')) {
        event.preventDefault()
        line.paste(text, active)
      }
    },
    duplicate: () => {
      const list = chosen()
      const last = list.findLast(({ level }) => level === Math.min(...list.map((row) => row.level)))
      if (last) addBehind(copiedOf(list), last, 'row')
    },
  }
}

function copiedOf(list: RealRow[]): Copied[] {
  const least = Math.min(...list.map(({ level }) => level))
  return list.map((row) => ({
    title: row.title,
    depth: row.level - least,
    isMilestone: row.kind === 'milestone',
    more: fieldsOf(row),
  }))
}

/** What a copy has of a row besides its title: not what has happened with it. */
function fieldsOf(row: RealRow): { sent: Values; shown: Values } {
  const { owner, start_date, due_date, is_shared } = row.kind === 'task' ? row.task : row.milestone
  const person = personIn(owner)
  const priority = row.kind === 'task' ? row.task.priority : null
  const dates = {
    ...(start_date ? { start_date } : {}),
    ...(due_date ? { due_date } : {}),
    ...(is_shared ? { is_shared } : {}),
  }
  return {
    sent: {
      ...dates,
      ...(person ? { owner: person.user_id } : {}),
      ...(priority ? { priority: priority.value } : {}),
    },
    shown: { ...dates, ...(person ? { owner: person } : {}), ...(priority ? { priority } : {}) },
  }
}

/** Titles by their level with tabs before them would be columns: two spaces a level, then the columns. */
function textOf(list: RealRow[]): string {
  const least = Math.min(...list.map(({ level }) => level))
  return list
    .map((row) => {
      const record = row.kind === 'task' ? row.task : row.milestone
      return [
        `${'  '.repeat(row.level - least)}${row.title}`,
        personIn(record.owner)?.full_name ?? '',
        record.start_date ?? '',
        record.due_date ?? '',
        row.kind === 'task' ? (row.task.duration_days ?? '') : '',
        record.status?.status_name ?? '',
      ].join('\t')
    })
    .join('\n')
}
