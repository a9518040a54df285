import type { ClipboardEvent } from 'react'
import { useRef, useState } from 'react'
import { today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { useChangedRows } from '../records/table/changed-rows.ts'
import { classes } from '../ui/classes.ts'
import { Hidden } from '../ui/field.tsx'
import look from '../ui/table.module.css'
import { wordOf } from './after.ts'
import type { Column } from './columns.ts'
import { canEdit, columns as allColumns, numeric } from './columns.ts'
import { DraftRow } from './draft-row.tsx'
import { EditedCell } from './edited-cell.tsx'
import { onGridKey } from './grid-keys.ts'
import { PlanMenu } from './plan-menu.tsx'
import { PlanGridRow } from './plan-row.tsx'
import styles from './plan.module.css'
import type { Words } from './title-words.ts'
import type { PlanRow } from './tree.ts'
import type { useCells } from './use-cells.ts'
import type { useClipboard } from './use-clipboard.ts'
import type { useDraft } from './use-draft.ts'
import { useAnchor } from './use-anchor.ts'
import { useDrag } from './use-drag.ts'
import type { Selected } from './use-selected.ts'
import { useSteady } from './use-steady.ts'
import { useWindow } from './use-window.ts'
import type { Work } from './use-work.ts'
import { isReal } from './tree.ts'
import { t } from '../locales/text.ts'

/** A table whose rows have levels and can be closed. */
const treegrid = 'treegrid'

type Props = {
  work: Work
  words: Words
  table: React.RefObject<HTMLTableElement | null>
  cells: ReturnType<typeof useCells<Column>>
  line: ReturnType<typeof useDraft<PlanRow>>
  selected: Selected
  clipboard: ReturnType<typeof useClipboard>
  opened: string | undefined
  onOpen: (id: string | undefined) => void
  /** a dialog for a field of the selected rows */
  onBulk: (column: Column) => void
}

/** A plan as a grid with levels: by the pointer and by keys, edited in place. */
export function PlanGrid(props: Props) {
  const { work, words, table, cells, line, selected, clipboard, opened, onOpen, onBulk } = props
  const { plan, rows, spans, actions, rights, may, columns, troubles, found } = work
  const { active, editing } = cells
  const format = useFormat()
  const now = today(format.timezone)
  const changed = useChangedRows('tasks', 'milestones')
  const scroll = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<string>()
  const [menu, setMenu] = useState<{ id: string; anchor: Element }>()
  const numbers = new Map(actions.all.map(({ id, number }) => [id, number]))
  const links = Map.groupBy(plan.dependencies, ({ task_id }) => task_id)
  const rowOf = (id: string) => rows.find((row) => row.id === id)
  const realOf = (id: string) => rows.filter(isReal).find((row) => row.id === id)
  const indexOf = (id: string | undefined) => rows.findIndex((row) => row.id === id)
  const { runs, rest, height } = useWindow(scroll, rows.length, [
    indexOf(active?.id),
    // the browser ends a drag whose element goes
    indexOf(dragged),
    indexOf(editing?.id),
    line.draft ? line.at : -1,
  ])
  useAnchor(scroll, editing?.id, indexOf(editing?.id), height)
  const edit = (id: string, column: Column, text?: string) => {
    const row = rowOf(id)
    if (!row || !isReal(row) || !canEdit(row, column, rights)) return
    if (column === 'shared') return actions.quietly(actions.share([row]))
    const { version, start_date, due_date } = row.kind === 'task' ? row.task : row.milestone
    const was = { version, start_date, due_date }
    cells.edit({ id, column, was, ...(text === undefined ? {} : { text }) })
  }
  const drag = useDrag(work, scroll, selected)
  const acts = useSteady({
    onActive: (id, column) => {
      if (active?.id !== id || active.column !== column) cells.setActive({ id, column })
    },
    onSelect: (id, event) => {
      if (event.button !== 0 || editing) return
      if (event.shiftKey && active) {
        // the browser would select the text between them
        event.preventDefault()
        selected.extend(active.id, id)
        cells.go({ id, column: active.column })
      } else if (event.ctrlKey || event.metaKey) selected.toggle(id)
      else if (selected.ids.size && !selected.ids.has(id)) selected.clear()
    },
    onEdit: edit,
    onDrag: (id, event) => {
      setDragged(id)
      drag.start(event, id)
    },
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
  const rowAt = (row: PlanRow, index: number) => (
    <PlanGridRow
      key={row.id}
      {...{ row, index, columns, format, acts }}
      span={spans.get(row.id) ?? noSpan}
      trouble={troubles.get(row.id)}
      after={afterOf(row)}
      isLate={isLate(row)}
      mayTick={isReal(row) && may(row).change}
      isOpened={opened === row.id}
      isChanged={changed.has(row.id)}
      isSelected={selected.ids.has(row.id)}
      isFaint={found.faint.has(row.id) || clipboard.cut.has(row.id)}
      active={active?.id === row.id ? active.column : undefined}
      editor={
        editing?.id === row.id && isReal(row)
          ? {
              column: editing.column,
              node: (
                <EditedCell
                  {...{ work, cells, line, row, words, onOpen }}
                  after={afterOf(row)}
                  key={editing.column}
                />
              ),
            }
          : undefined
      }
    />
  )
  const draft = line.draft ? (
    <DraftRow
      key={`draft ${line.draft.serial}`}
      line={line}
      words={words}
      isFirst={!rows.length}
      span={columns.length}
    />
  ) : null
  const gap = (count: number, key: string) =>
    count > 0 ? <tr key={key} aria-hidden="true" style={{ height: count * height }} /> : null
  const body = [
    ...runs.flatMap(({ from, to, before }, n) => [
      gap(before, `gap ${n}`),
      ...rows
        .slice(from, to)
        .flatMap((row, at) => [rowAt(row, from + at), from + at === line.at ? draft : null]),
    ]),
    gap(rest, 'rest'),
  ]
  const onClip = (event: ClipboardEvent, act: (event: ClipboardEvent) => void) => {
    if (active && !editing && isCell(event.target)) act(event)
  }
  const menuRow = menu && realOf(menu.id)
  return (
    <div
      ref={scroll}
      className={classes(look.scroll, styles.scroll, styles.anchored)}
      onDragOver={drag.over}
      onDrop={drag.release}
      onDragEnd={() => {
        drag.end()
        setDragged(undefined)
      }}
    >
      <table
        ref={table}
        role={treegrid}
        onFocus={cells.onFocus}
        onBlur={cells.onBlur}
        className={look.table}
        style={{ minWidth: widthOf(columns) }}
        aria-label={t('Plan')}
        aria-rowcount={rows.length + 1}
        aria-multiselectable
        onCopy={(event) => onClip(event, clipboard.copy)}
        onCut={(event) => onClip(event, clipboard.cutOut)}
        onPaste={(event) => onClip(event, clipboard.paste)}
        onKeyDown={(event) => {
          if (editing || !active) return
          onGridKey(event, {
            rows,
            columns,
            active,
            selected,
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
              may,
              keepFocus: cells.keepFocus,
              collapse: work.collapse,
              time: (row) => actions.quietly(actions.time(row)),
              bulk: onBulk,
              duplicate: clipboard.duplicate,
            },
          })
        }}
      >
        <colgroup>
          <col style={{ width: numberWidth }} />
          {columns.map((name) => (
            <col key={name} style={{ width: describe(name).width }} />
          ))}
          <col style={{ width: 36 }} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col" className={classes(look.head, styles.number)}>
              <Hidden>{t('Number')}</Hidden>
            </th>
            {columns.map((name) => (
              <th
                key={name}
                scope="col"
                data-column={name}
                className={classes(
                  look.head,
                  numeric.has(name) && look.number,
                  name === 'title' && styles.pinned,
                )}
              >
                {describe(name).label}
              </th>
            ))}
            <th scope="col" className={look.head}>
              <Hidden>{t('More')}</Hidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {line.at < 0 ? draft : null}
          {body}
        </tbody>
      </table>
      {drag.drop ? (
        <span
          className={classes(styles.drop, drag.drop.isLast && styles.last)}
          style={{ top: drag.drop.top, left: 70 + 20 * drag.drop.level }}
        >
          {drag.drop.into === null && drag.dragged.length === 1 ? null : (
            <span>{dragWords(drag.dragged.length, drag.drop.into)}</span>
          )}
        </span>
      ) : null}
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
            onSelect: () => selected.toggle(menuRow.id),
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

const noSpan = { start: null, due: null, isComputed: true }
const numberWidth = 60

function describe(name: Column) {
  const { label, width } = allColumns.find((each) => each.name === name) ?? allColumns[0]
  return { label, width }
}

/** The width that a table needs: that of its columns, and 320 for the title. */
function widthOf(columns: Column[]): number {
  return columns.reduce((sum, name) => sum + (describe(name).width ?? 320), numberWidth + 36)
}

function datesOf(row: Extract<PlanRow, { kind: 'task' | 'milestone' }>) {
  const { start_date, due_date } = row.kind === 'task' ? row.task : row.milestone
  return { title: row.title, id: row.id, start_date, due_date }
}

function isCell(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.dataset.cell !== undefined
}

/** What is dragged, and into what. */
function dragWords(count: number, title: string | null): string {
  if (title === null) return t('{count} row | {count} rows', { count })
  return count > 1
    ? t('{count} row in {title} | {count} rows in {title}', { count, title })
    : t('in {title}', { title })
}
