import { useState } from 'react'
import { readAfter, wordOf } from '../../projects/after.ts'
import { DraftRow } from '../../projects/draft-row.tsx'
import type { How } from '../../projects/title-editor.tsx'
import { TitleEditor } from '../../projects/title-editor.tsx'
import type { useCells } from '../../projects/use-cells.ts'
import type { Next } from '../../projects/use-cell-text.ts'
import type { useDraft } from '../../projects/use-draft.ts'
import plan from '../../projects/plan.module.css'
import { spentIn } from '../../tasks/spent.ts'
import { capital } from '../../ui/capital.ts'
import { classes } from '../../ui/classes.ts'
import { Hidden } from '../../ui/field.tsx'
import look from '../../ui/table.module.css'
import type { Cell, Column } from './columns.ts'
import { columns, isEditable, names, numeric } from './columns.ts'
import { LineCellEditor } from './cell-editor.tsx'
import type { LineActs } from './line-row.tsx'
import { LineGridRow } from './line-row.tsx'
import { LineMenu } from './line-menu.tsx'
import type { LineRow } from './lines.ts'
import { roleWord } from './lines.ts'
import { setDays, setLinks } from './days.ts'
import { movedToward, withMilestone, withShare, withTask } from './acts.ts'
import { onLineKey } from './line-keys.ts'
import { useSteadyActs } from './use-steady-acts.ts'
import { usualOf } from './usual.ts'
import type { TemplateWork } from './use-template-work.ts'
import { t } from '../../locales/text.ts'

const treegrid = 'treegrid'

type Props = {
  work: TemplateWork
  table: React.RefObject<HTMLTableElement | null>
  cells: ReturnType<typeof useCells<Column>>
  line: ReturnType<typeof useDraft<LineRow>>
  /** the day of a row in words */
  dayOf: (row: LineRow) => string
}

/** A template as the grid of a plan, with working days in place of dates. */
export function LineGrid({ work, table, cells, line, dayOf }: Props) {
  const { rows, all, lines, roles, statistics, mayEdit, apply, forms, documents } = work
  const { active, editing } = cells
  const [menu, setMenu] = useState<{ id: string; anchor: Element }>()
  // another one is another editor, though it is of the same cell
  const [refusals, setRefusals] = useState(0)
  const numbers = new Map(all.map(({ id, number }) => [id, number]))
  const rowOf = (id: string) => rows.find((row) => row.id === id)
  const edit = ({ id, column }: Cell, text?: string) => {
    const row = rowOf(id)
    if (!row || !mayEdit || !isEditable(row, column)) return
    if (column === 'shared') apply((now) => withShare(now, row))
    else cells.edit({ id, column, ...(text === undefined ? {} : { text }) })
  }
  const acts: LineActs = useSteadyActs({
    onActive: (id, column) => {
      if (active?.id !== id || active.column !== column) cells.setActive({ id, column })
    },
    onEdit: (id, column) => edit({ id, column }),
    onToggle: work.toggle,
    onMenu: (id, anchor) => setMenu({ id, anchor }),
    onUse: work.setDays,
  })

  /** Opens a cell again with what was refused. */
  function refuse(cell: Cell, text: string, error: string) {
    setRefusals(refusals + 1)
    cells.edit({ ...cell, text, error })
  }

  /** Applies a change of days; a refusal opens the cell again with what was typed. */
  function setDaysOf(cell: Cell, set: { start?: number; days?: number }, text: string) {
    const { id } = cell
    const own = lines.tasks.find(({ item_id }) => item_id === id)
    const span = own ?? lines.milestones.find(({ milestone_id }) => milestone_id === id)
    if (!span) return
    const days = { start: set.start ?? span.start, days: set.days ?? span.days }
    if (!own) return apply((now) => withMilestone(now, id, days))
    const outcome = setDays(lines, id, days, numbers)
    if ('lines' in outcome) apply(() => outcome.lines)
    else refuse(cell, text, outcome.error)
  }

  const leave = (row: LineRow, column: Column, next: Next = 'stay') => {
    cells.edit(undefined)
    const at = rows.findIndex(({ id }) => id === row.id)
    const below = rows[next === 'down' ? at + 1 : at] ?? row
    const step = next === 'next' ? 1 : next === 'previous' ? -1 : 0
    cells.setActive({ id: below.id, column: names[names.indexOf(column) + step] ?? column })
    cells.keepFocus()
  }

  const onTitle = (row: LineRow) => (title: string, how: How) => {
    leave(row, 'title')
    if (how !== 'cancel' && title && title !== row.title) {
      apply((now) =>
        row.kind === 'task'
          ? withTask(now, row.id, { title })
          : withMilestone(now, row.id, { name: title }),
      )
    }
    if (how === 'enter') line.begin(row.id, row.level)
    if (how === 'in' || how === 'out') apply((now) => movedToward(now, row.id, how))
  }

  const onSave = (row: LineRow, column: Column) => (text: string, next: Next) => {
    leave(row, column, next)
    const cell = { id: row.id, column }
    if (column === 'role') apply((now) => withTask(now, row.id, { role: text || null }))
    if (column === 'after') {
      const ids = new Map(
        all.flatMap(({ id, number, kind }) => (kind === 'task' ? [[number, id] as const] : [])),
      )
      const read = readAfter(text, ids)
      const outcome = 'error' in read ? read : setLinks(lines, row.id, read.links, numbers)
      if ('lines' in outcome) apply(() => outcome.lines)
      else refuse(cell, text, outcome.error)
    }
    if (column === 'estimate') {
      const seconds = spentIn(text)
      if (text.trim() && seconds === null) return refuse(cell, text, t('such as 16h or 2d'))
      const minutes = seconds === null ? null : Math.round(seconds / 60)
      return apply((now) => withTask(now, row.id, { minutes }))
    }
    if (text === '' || !(Number(text) >= 1)) return
    if (column === 'days') setDaysOf(cell, { days: Number(text) }, text)
    if (column === 'day') setDaysOf(cell, { start: Number(text) - 1 }, text)
  }

  const afterOf = (row: LineRow) =>
    row.kind === 'task'
      ? row.task.links
          .flatMap((each) => {
            const number = numbers.get(each.predecessor_id)
            return number === undefined ? [] : wordOf(each, number)
          })
          .join(', ')
      : ''

  const editorOf = (row: LineRow) => {
    if (editing?.id !== row.id || row.kind === 'loose') return undefined
    const { column, error, text } = editing
    const node = (
      <span className={plan.box}>
        {column === 'title' ? (
          <TitleEditor
            label={t('Title of {title}', { title: row.title })}
            initial={text ?? row.title}
            autoFocus
            onDone={onTitle(row)}
          />
        ) : (
          <LineCellEditor
            key={refusals}
            {...{ row, column, editing, roles }}
            after={afterOf(row)}
            onSave={onSave(row, column)}
            onCancel={(next) => leave(row, column, next)}
          />
        )}
        {error ? (
          <span role="alert" className={plan.error}>
            {capital(error)}
          </span>
        ) : null}
      </span>
    )
    return { column, node }
  }

  const roleOf = (row: LineRow) => {
    const word = row.kind === 'task' && row.task.role !== null ? roleWord(row.task.role) : null
    const role = roles.find(({ key }) => roleWord(key) === word)
    return role && { name: role.name, key: role.key, isTheirs: role.side === 'customer' }
  }

  const added = new Map((statistics?.added ?? []).map((each) => [each.title, each]))
  const evidenceOf = (row: LineRow) => {
    const { projects, of } = added.get(row.title) ?? {}
    return projects === undefined
      ? undefined
      : t('added by hand in {projects} of {total}', { projects, total: of })
  }
  const shown = rows.map((row) => (
    <LineGridRow
      key={row.id}
      {...{ row, acts, mayEdit }}
      day={dayOf(row)}
      after={afterOf(row)}
      role={roleOf(row)}
      usual={usualOf(statistics, row.id, daysOf(row))}
      form={row.kind === 'task' ? forms.get(row.task.form_id ?? '') : undefined}
      document={
        row.kind === 'task' && row.task.document_id
          ? (documents.get(row.task.document_id) ?? t('A document'))
          : undefined
      }
      evidence={evidenceOf(row)}
      active={active?.id === row.id ? active.column : undefined}
      editor={editorOf(row)}
    />
  ))
  if (line.draft) {
    shown.splice(
      line.at + 1,
      0,
      <DraftRow key={line.draft.serial} line={line} isFirst={!rows.length} span={columns.length} />,
    )
  }
  const menuRow = menu && rowOf(menu.id)
  return (
    <div className={classes(look.scroll, plan.scroll)}>
      <table
        ref={table}
        role={treegrid}
        onFocus={cells.onFocus}
        onBlur={cells.onBlur}
        className={look.table}
        style={{ minWidth: 984 }}
        aria-label={t('Template')}
        aria-rowcount={rows.length + 1}
        onPaste={(event) => {
          const row = active && rowOf(active.id)
          const text = event.clipboardData.getData('text/plain')
          if (!row || editing || !mayEdit || !isCell(event.target)) return
          if (!text.trim().includes('\n')) return
          event.preventDefault()
          line.paste(text, row)
        }}
        onKeyDown={(event) => {
          if (editing || !active || !isCell(event.target)) return
          onLineKey(event, active, rows, {
            work,
            edit,
            line: line.begin,
            go: cells.go,
            keepFocus: () => void cells.keepFocus(),
            menu: (cell) => {
              const anchor = cells.elementOf(cell)
              if (anchor) setMenu({ id: cell.id, anchor })
            },
          })
        }}
      >
        <colgroup>
          <col style={{ width: 52 }} />
          {columns.map(({ name, width }) => (
            <col key={name} style={{ width }} />
          ))}
          <col style={{ width: 36 }} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col" className={look.head}>
              <Hidden>{t('Number')}</Hidden>
            </th>
            {columns.map(({ name, label }) => (
              <th
                key={name}
                scope="col"
                data-column={name}
                className={classes(look.head, numeric.includes(name) && look.number)}
              >
                {label}
              </th>
            ))}
            <th scope="col" className={look.head}>
              <Hidden>{t('More')}</Hidden>
            </th>
          </tr>
        </thead>
        <tbody>{shown}</tbody>
      </table>
      {menu && menuRow ? (
        <LineMenu
          row={menuRow}
          work={work}
          anchor={menu.anchor}
          onEdit={(column) => edit({ id: menuRow.id, column })}
          onNew={(level) => line.begin(menuRow.id, level)}
          onClose={() => {
            setMenu(undefined)
            cells.go({ id: menu.id, column: active?.column ?? 'title' })
          }}
        />
      ) : null}
    </div>
  )
}

function daysOf(row: LineRow): number {
  return row.kind === 'task' ? row.task.days : row.kind === 'milestone' ? row.milestone.days : 0
}

function isCell(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.dataset.cell !== undefined
}
