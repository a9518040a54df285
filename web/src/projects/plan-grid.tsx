import { useState } from 'react'
import { today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { useChangedRows } from '../records/table/changed-rows.ts'
import { classes } from '../ui/classes.ts'
import { Hidden } from '../ui/field.tsx'
import look from '../ui/table.module.css'
import { wordOf } from './after.ts'
import type { Column } from './columns.ts'
import { canEdit, columns } from './columns.ts'
import { DraftRow } from './draft-row.tsx'
import { EditedCell } from './edited-cell.tsx'
import { onGridKey } from './grid-keys.ts'
import { troublesOf } from './late.ts'
import { isReal } from './plan-actions.ts'
import { PlanMenu } from './plan-menu.tsx'
import { PlanGridRow } from './plan-row.tsx'
import styles from './plan.module.css'
import type { PlanRow } from './tree.ts'
import type { useCells } from './use-cells.ts'
import type { useDraft } from './use-draft.ts'
import { useSteady } from './use-steady.ts'
import type { Work } from './use-work.ts'

/** A table whose rows have levels and can be closed. */
const treegrid = 'treegrid'

type Props = {
  work: Work
  table: React.RefObject<HTMLTableElement | null>
  cells: ReturnType<typeof useCells<Column>>
  line: ReturnType<typeof useDraft>
  opened: string | undefined
  onOpen: (id: string | undefined) => void
}

/** A plan as a grid with levels: by the pointer and by keys, edited in place. */
export function PlanGrid({ work, table, cells, line, opened, onOpen }: Props) {
  const { plan, rows, spans, actions, rights, may } = work
  const { active, editing } = cells
  const format = useFormat()
  const now = today(format.timezone)
  const changed = useChangedRows('tasks', 'milestones')
  const [menu, setMenu] = useState<{ id: string; anchor: Element }>()
  const numbers = new Map(actions.all.map(({ id, number }) => [id, number]))
  const troubles = troublesOf(plan, numbers, now)
  const links = Map.groupBy(plan.dependencies, ({ task_id }) => task_id)
  const rowOf = (id: string) => rows.find((row) => row.id === id)
  const realOf = (id: string) => rows.filter(isReal).find((row) => row.id === id)
  const edit = (id: string, column: Column, text?: string) => {
    const row = rowOf(id)
    if (!row || !isReal(row) || !canEdit(row, column, rights)) return
    if (column === 'shared') actions.quietly(actions.share(row))
    else cells.edit({ id, column, ...(text === undefined ? {} : { text }) })
  }
  const acts = useSteady({
    onActive: (id, column) => {
      if (active?.id !== id || active.column !== column) cells.setActive({ id, column })
    },
    onEdit: edit,
    onTick: (id) => {
      const row = realOf(id)
      if (row) actions.quietly(actions.tick(row))
    },
    onToggle: work.toggle,
    onOpen: (id) => onOpen(id),
    onMenu: (id, anchor) => setMenu({ id, anchor }),
  })
  const afterOf = (row: PlanRow) =>
    (links.get(row.id) ?? [])
      .flatMap((each) => {
        const number = numbers.get(each.predecessor_id)
        return number === undefined ? [] : wordOf(each, number)
      })
      .join(', ')
  const isLate = (row: PlanRow) => {
    if (row.kind === 'task') return troubles.get(row.id)?.kind === 'late'
    if (row.kind === 'loose' || row.milestone.completed_at) return false
    const { due_date, tasks_count, completed_tasks_count } = row.milestone
    // as long as something of it is open
    const isOpen = tasks_count === 0 || completed_tasks_count < tasks_count
    return isOpen && due_date !== null && due_date < now
  }
  const shown = rows.map((row) => (
    <PlanGridRow
      key={row.id}
      {...{ row, format, acts }}
      span={spans.get(row.id) ?? { start: null, due: null, isComputed: true }}
      trouble={troubles.get(row.id)}
      after={afterOf(row)}
      isLate={isLate(row)}
      mayTick={isReal(row) && may(row).change}
      isOpened={opened === row.id}
      isChanged={changed.has(row.id)}
      active={active?.id === row.id ? active.column : undefined}
      editor={
        editing?.id === row.id && isReal(row)
          ? {
              column: editing.column,
              node: <EditedCell {...{ work, cells, line, row }} after={afterOf(row)} />,
            }
          : undefined
      }
    />
  ))
  if (line.draft)
    shown.splice(
      line.at + 1,
      0,
      <DraftRow key={line.draft.serial} line={line} isFirst={!rows.length} span={columns.length} />,
    )
  const menuRow = menu && realOf(menu.id)
  return (
    <div className={classes(look.scroll, styles.scroll)}>
      <table
        ref={table}
        role={treegrid}
        onFocus={cells.onFocus}
        onBlur={cells.onBlur}
        className={look.table}
        style={{ minWidth: 1060 }}
        aria-label="Plan"
        aria-rowcount={rows.length + 1}
        onPaste={(event) => {
          const row = active && rowOf(active.id)
          const text = event.clipboardData.getData('text/plain')
          if (!row || editing || !isCell(event.target) || !text.trim().includes('\n')) return
          event.preventDefault()
          line.paste(text, row)
        }}
        onKeyDown={(event) => {
          if (editing || !active) return
          onGridKey(event, {
            rows,
            active,
            actions,
            acts: {
              go: cells.go,
              edit: ({ id, column }, text) => edit(id, column, text),
              toggle: work.toggle,
              open: onOpen,
              menu: (id) => {
                const anchor = cells.elementOf({ id, column: active.column })
                if (anchor) setMenu({ id, anchor })
              },
              line: line.begin,
              may: (row) => isReal(row) && may(row).change,
              keepFocus: cells.keepFocus,
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
              <Hidden>Number</Hidden>
            </th>
            {columns.map(({ name, label }) => (
              <th
                key={name}
                scope="col"
                data-column={name}
                className={classes(
                  look.head,
                  ['start', 'due', 'days'].includes(name) && look.number,
                )}
              >
                {label}
              </th>
            ))}
            <th scope="col" className={look.head}>
              <Hidden>More</Hidden>
            </th>
          </tr>
        </thead>
        <tbody>{shown}</tbody>
      </table>
      {menu && menuRow ? (
        <PlanMenu
          row={menuRow}
          rows={actions.all}
          anchor={menu.anchor}
          actions={actions}
          may={may(menuRow)}
          acts={{
            onOpen: () => onOpen(menuRow.id),
            onEdit: () => edit(menuRow.id, 'title'),
            onNew: (level) => line.begin(menuRow.id, level),
            onDates: () => work.ask(datesOf(menuRow)),
          }}
          onClose={() => {
            setMenu(undefined)
            cells.go({ id: menu.id, column: active?.column ?? 'title' })
          }}
        />
      ) : null}
    </div>
  )
}

function datesOf(row: Extract<PlanRow, { kind: 'task' | 'milestone' }>) {
  const { start_date, due_date } = row.kind === 'task' ? row.task : row.milestone
  return { title: row.title, id: row.id, start_date, due_date }
}

function isCell(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.dataset.cell !== undefined
}
