import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../data/notices.ts'
import { useMay, useMayOf } from '../../data/session.ts'
import type { Template, TemplateStatistics } from '../../data/templates.ts'
import { formsQuery, ownDocumentsQuery } from '../../data/template-parts.ts'
import { statisticsQuery } from '../../data/templates.ts'
import type { TypedInto } from '../../projects/use-draft.ts'
import { rowsOf } from '../../projects/tree.ts'
import { withLine, withText } from './acts.ts'
import { setDays } from './days.ts'
import type { LineRow, Lines, Role } from './lines.ts'
import { newRef, rolesOf } from './lines.ts'
import type { Draft } from './merge.ts'
import { merged } from './merge.ts'
import type { Edited } from './use-edited.ts'
import { t } from '../../locales/text.ts'

/** A template that is edited: its rows, and what a person may do to them. */
export type TemplateWork = Omit<TypedInto, 'rows'> & {
  template: Template
  lines: Lines
  /** the rows that are shown, and all of them */
  rows: LineRow[]
  all: LineRow[]
  roles: Role[]
  /** the names of forms by their ids */
  forms: ReadonlyMap<string, string>
  /** the same of documents */
  documents: ReadonlyMap<string, string>
  statistics: TemplateStatistics | undefined
  mayEdit: boolean
  toggle: (id: string) => void
  apply: (change: (before: Lines) => Lines) => void
  /** sets the days of a task; says why it cannot */
  setDays: (id: string, days: number) => void
  setRoles: (change: (before: Role[]) => Role[], lines?: (before: Lines) => Lines) => void
  remove: (row: LineRow, change: (before: Lines) => Lines) => void
}

export function useTemplateWork(template: Template, edited: Edited, draft: Draft): TemplateWork {
  const { lines, roles: declared } = draft
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const mayEdit = useMayOf('templates', template, 'update') && !template.is_predefined
  const { data: statistics } = useQuery(statisticsQuery(template.template_id))
  const { forms, documents } = useNames()
  const apply: TemplateWork['apply'] = (change) =>
    edited.change((before) => {
      const next = change(before.lines)
      return next === before.lines ? before : { ...before, lines: next }
    })
  const all = rowsOf(lines)
  const roles = rolesOf(declared, lines)
  return {
    template,
    lines,
    all,
    rows: rowsOf(lines, closed),
    actions: { all },
    roles,
    forms,
    documents,
    statistics,
    mayEdit,
    rights: { mayPlan: mayEdit },
    // a task belongs to a milestone
    mayCreate: mayEdit && lines.milestones.length > 0,
    real: (id) => id,
    add: (title, _chips, place) => {
      const id = newRef()
      apply((now) => withLine(now, id, title, place))
      return id
    },
    addText: (text, place) => apply((now) => withText(now, text, place)),
    toggle: (id) =>
      setClosed((before) =>
        before.has(id)
          ? new Set([...before].filter((each) => each !== id))
          : new Set([...before, id]),
      ),
    apply,
    setDays: (id, days) => {
      const task = lines.tasks.find(({ item_id }) => item_id === id)
      const numbers = new Map(all.map((row) => [row.id, row.number]))
      const outcome = setDays(lines, id, { start: task?.start ?? 0, days }, numbers)
      if ('lines' in outcome) apply(() => outcome.lines)
      else notify({ message: outcome.error })
    },
    setRoles: (change, along) =>
      edited.change((before) => ({
        roles: change(rolesOf(before.roles, before.lines)),
        lines: along ? along(before.lines) : before.lines,
      })),
    remove: (row, change) => {
      const after = { ...draft, lines: change(lines) }
      apply(change)
      const count = row.kind === 'milestone' ? lines.tasks.length - after.lines.tasks.length : 0
      notify({
        message: count
          ? t('{title} and {count} task deleted | {title} and {count} tasks deleted', {
              title: row.title,
              count,
            })
          : t('{title} deleted', { title: row.title }),
        // this one, whatever was changed since
        undo: () => edited.change((now) => merged(after, draft, now)),
        undoByKey: edited.undo,
      })
    },
  }
}

const none: ReadonlyMap<string, string> = new Map()

/** The names of the forms and the documents that tasks can have, by their ids, as far as the person may read them. */
export function useNames() {
  const { data: forms = none } = useQuery({ ...formsQuery, enabled: useMay('surveys', 'read') })
  const { data: documents = none } = useQuery({
    ...ownDocumentsQuery,
    enabled: useMay('documents', 'read'),
  })
  return { forms, documents }
}
