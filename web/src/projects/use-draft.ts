import { useState } from 'react'
import { useShortcuts } from '../shortcuts/keys.ts'
import type { Draft } from './drafts.ts'
import { aboveDraft, nextDraft, placeOfDraft } from './drafts.ts'
import type { How } from './title-editor.tsx'
import type { PlanPlace } from '../data/plan-places.ts'
import type { Chip } from './title-words.ts'
import type { TreeRow } from './tree.ts'
import { t } from '../locales/text.ts'

/** The tree into which one types. */
export type TypedInto<Row extends TreeRow = TreeRow> = {
  rows: Row[]
  actions: { all: Row[] }
  /** whether one may add milestones */
  rights: { mayPlan: boolean }
  /** whether one may add tasks */
  mayCreate: boolean
  real: (id: string) => string
  /** adds a milestone or task with what chips at the end of its title set; its id */
  add: (title: string, chips: Chip[], place: PlanPlace) => string
  addText: (text: string, place: PlanPlace) => void
}

/** The line that is typed into a plan: `at` is the place among the rows behind which it stands. */
export function useDraft<Row extends TreeRow>(
  work: TypedInto<Row>,
  onEnd: (above: Row | undefined, how: 'edit' | 'stay') => void,
) {
  const { rows, actions, rights, mayCreate } = work
  const isEmpty = rows.length === 0
  const least = rights.mayPlan ? 1 : 2
  const mayAdd = rights.mayPlan || mayCreate
  const [draft, setDraft] = useState<Draft>()
  const waiting: Draft = { behind: null, level: least, text: '', chips: [], serial: 0 }
  const shown = draft ?? (isEmpty && mayAdd ? waiting : undefined)
  const own = shown && { ...shown, behind: shown.behind && work.real(shown.behind) }
  const at = own ? aboveDraft(rows, own) : -1
  const above = rows[at]

  const begin = (behind: string | null, level: number, text = '') => {
    if (level === 1 ? !rights.mayPlan : !mayCreate) return
    setDraft({ behind, level, text, chips: [], serial: (draft?.serial ?? 0) + 1 })
  }
  /** A new line at the end, in the last milestone or as another one. */
  const append = (level: number) => begin(rows.at(-1)?.id ?? null, level)

  function done(text: string, how: How, chips: Chip[]) {
    if (!own) return
    if (text && (how === 'enter' || how === 'leave' || how === 'panel')) {
      const behind = work.add(text, chips, placeOfDraft(actions.all, above, own.level))
      const next = { ...own, behind, text: '', chips: [], serial: own.serial + 1 }
      setDraft(how === 'enter' ? next : undefined)
      return
    }
    const next = nextDraft({ ...own, chips }, text, how, { above, least: mayCreate ? least : 1 })
    const isShown = next && (next.level === 1 ? rights.mayPlan : mayCreate)
    setDraft(isShown ? next : next && own)
    if (!next && how !== 'leave') onEnd(above, how === 'back' ? 'edit' : 'stay')
  }

  /** Pasted text behind a row, or where the draft is; the deeper lines below those before them. */
  function paste(text: string, behind?: TreeRow) {
    const at = behind ? { behind: behind.id, level: Math.max(2, behind.level) } : own
    if (!at || !mayCreate) return
    const on = rows[aboveDraft(rows, { text: '', chips: [], serial: 0, ...at })]
    work.addText(text, placeOfDraft(actions.all, on, at.level))
    setDraft(undefined)
    onEnd(on, 'stay')
  }

  useShortcuts([
    {
      keys: 'c',
      label: t('New line below'),
      group: t('Plan'),
      run: () => append(isEmpty ? least : 2),
    },
  ])
  return { draft: own, at, isWaiting: draft === undefined, begin, append, done, paste }
}
