import { Link } from '@tanstack/react-router'
import type { CSSProperties, PointerEvent } from 'react'
import { memo, useRef } from 'react'
import type { Field, Module } from '../../data/modules.ts'
import { fieldOf } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, titleOf, valueOf } from '../../data/record.ts'
import { useMayOf } from '../../data/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icons.tsx'
import look from '../../ui/table.module.css'
import type { Screens } from '../definition.ts'
import { addressIn } from '../definition.ts'
import { isEditable } from '../field/editable.ts'
import { InPlaceEditor } from '../field/lazy-editor.tsx'
import { FieldValue, isEmpty } from '../field/show.tsx'
import { Tick } from '../field/tick.tsx'
import type { Cell } from './active-cell.ts'
import { useActiveCell } from './active-cell.ts'
import { useChangedRows } from './changed-rows.ts'
import { ColumnGrip } from './column-grip.tsx'
import type { Selection } from './selection.ts'
import styles from './table.module.css'
import { nameOfCell, useTableKeys } from './keys.ts'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  screens: Screens
  rows: AnyRecord[]
  columns: string[]
  widths: { [column: string]: number }
  sort?: string
  isStale: boolean
  peek?: string
  selection: Selection
  editing: Cell | undefined
  onEdit: (cell: Cell | undefined) => void
  onSort: (sort: string) => void
  onWidth: (column: string, width: number) => void
  onPeek: (id: string | undefined) => void
}

/** Widths in pixels, by the look of a field or else its type. */
const usual: { [name: string]: number } = {
  boolean: 96,
  number: 110,
  currency: 128,
  percent: 96,
  date: 128,
  rating: 112,
  user: 176,
  email: 232,
  long_text: 280,
  score: 190,
}

/** Records as rows: sorted by their headers, edited in place, also with the keyboard. */
export function Table(props: Props) {
  const { module, rows, columns, widths, selection, isStale, sort, editing } = props
  const fields = columns.flatMap((name) => fieldOf(module, name) ?? [])
  const [active, setActive] = useActiveCell(module, rows, fields)
  const changed = useChangedRows(module.module)
  const table = useRef<HTMLTableElement>(null)
  const keys = useTableKeys({ ...props, fields, table, active, setActive })
  const widthOf = (field: Field) =>
    widths[field.name] ??
    (field.name === module.title_field
      ? 232
      : Math.max(
          usual[field.look ?? field.type] ?? usual[field.type] ?? 176,
          7 * field.label.length + 36,
        ))
  const total = 40 + fields.reduce((sum, field) => sum + widthOf(field), 0)
  return (
    <div className={classes(look.scroll, styles.scroll)}>
      <table
        ref={table}
        className={classes(look.table, isStale && look.stale)}
        style={{ minWidth: total }}
        aria-label={module.word.many}
        aria-rowcount={rows.length}
        onKeyDown={keys}
        onPointerOver={showWhole}
      >
        <colgroup>
          <col style={{ width: 40 }} />
          {fields.map((field) => (
            <col key={field.name} style={{ width: widthOf(field) }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th className={classes(look.head, look.tick)} scope="col">
              <Checkbox
                label={t('Select all {many} of this page', { many: module.word.many })}
                checked={selection.ids.size > 0 && selection.ids.size === rows.length}
                indeterminate={selection.ids.size > 0 && selection.ids.size < rows.length}
                onChange={selection.all}
              />
            </th>
            {fields.map((field, at) => (
              <Head
                key={field.name}
                field={field}
                isFirst={at === 0}
                sort={sort}
                onSort={props.onSort}
                onWidth={(width) => props.onWidth(field.name, width)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((record) => {
            const id = idOf(module, record)
            return (
              <Row
                key={id}
                {...{ module, screens: props.screens, record, fields, id }}
                isSelected={selection.ids.has(id)}
                isPeeked={props.peek === id}
                isChanged={changed.has(id)}
                active={active?.id === id ? active.field : undefined}
                editing={editing?.id === id ? editing.field : undefined}
                onToggle={selection.toggle}
                onActive={setActive}
                onEdit={props.onEdit}
                onPeek={props.onPeek}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** What its column cuts off is shown whole by the pointer, as the title of the cell. */
function showWhole({ target }: PointerEvent) {
  const cell = target instanceof HTMLElement ? target.closest('td, th') : null
  if (!(cell instanceof HTMLElement)) return
  const parts = [cell, ...cell.querySelectorAll<HTMLElement>('*')]
  const isCut = parts.some(
    ({ scrollWidth, clientWidth }) => clientWidth && scrollWidth > clientWidth,
  )
  if (isCut) cell.title = cell.innerText
  else cell.removeAttribute('title')
}

type HeadProps = {
  field: Field
  isFirst: boolean
  sort: string | undefined
  onSort: (sort: string) => void
  onWidth: (width: number) => void
}

function Head({ field, isFirst, sort, onSort, onWidth }: HeadProps) {
  const keys = sort?.split(',') ?? []
  const direction = keys.includes(`-${field.name}`)
    ? 'descending'
    : keys.includes(field.name)
      ? 'ascending'
      : undefined
  const next = direction === 'ascending' ? `-${field.name}` : field.name
  return (
    <th
      scope="col"
      className={classes(look.head, isFirst && look.first, isNumber(field) && look.number)}
      style={isFirst ? { left: 40 } : undefined}
      aria-sort={direction}
      // without the name of what changes its width, which would be read with every cell
      aria-label={field.label}
    >
      {field.is_sortable ? (
        <button type="button" className={look.sort} onClick={() => onSort(next)}>
          <span className={styles.label}>{field.label}</span>
          {direction ? <Icon name={direction === 'ascending' ? 'arrow-up' : 'arrow-down'} /> : null}
        </button>
      ) : (
        <span className={styles.label}>{field.label}</span>
      )}
      <ColumnGrip label={field.label} onWidth={onWidth} />
    </th>
  )
}

type RowProps = {
  module: Module
  screens: Screens
  record: AnyRecord
  id: string
  fields: Field[]
  isSelected: boolean
  isPeeked: boolean
  isChanged: boolean
  /** the field of the cell that keys act on, if it is in this row */
  active: string | undefined
  /** the field that is being edited */
  editing: string | undefined
  onToggle: Selection['toggle']
  onActive: (cell: Cell) => void
  onEdit: (cell: Cell | undefined) => void
  onPeek: (id: string | undefined) => void
}

const Row = memo(
  function Row({ module, screens, record, id, fields, ...props }: RowProps) {
    const { isSelected, isPeeked, isChanged, active, editing } = props
    const mayUpdate = useMayOf(module.module, record, 'update')
    const title = titleOf(module, record)
    return (
      <tr
        className={look.row}
        aria-selected={isSelected}
        data-picked={isPeeked || undefined}
        data-changed={isChanged || undefined}
      >
        <td className={classes(look.cell, look.tick)}>
          <Checkbox
            label={t('Select {title}', { title })}
            checked={isSelected}
            tabIndex={-1}
            onChange={(_checked, event) =>
              props.onToggle(id, 'shiftKey' in event && event.shiftKey === true)
            }
          />
        </td>
        {fields.map((field) => {
          const isEditing = editing === field.name
          const cell = { id, field: field.name }
          const shared = {
            tabIndex: active === field.name && !isEditing ? 0 : -1,
            'data-cell': nameOfCell(cell),
            onFocus: () => props.onActive(cell),
          }
          if (field.name === module.title_field) {
            return (
              <th
                key={field.name}
                scope="row"
                className={classes(look.cell, look.first)}
                style={{ left: 40 } as CSSProperties}
                {...shared}
              >
                {isEditing ? (
                  <InPlaceEditor
                    module={module}
                    field={field}
                    record={record}
                    onDone={() => props.onEdit(undefined)}
                  />
                ) : (
                  <span className={styles.title}>
                    <Tick module={module} screens={screens} record={record} />
                    {hasPicture(module) ? (
                      <Avatar
                        name={title}
                        image={pictureOf(record)}
                        square={module.module !== 'contacts'}
                        size={22}
                      />
                    ) : null}
                    <Link
                      to={addressIn(screens, id)}
                      tabIndex={-1}
                      onClick={(event) => {
                        if (event.metaKey || event.ctrlKey || event.shiftKey) return
                        event.preventDefault()
                        props.onPeek(id)
                      }}
                    >
                      {title}
                    </Link>
                  </span>
                )}
              </th>
            )
          }
          const canEdit = isEditable(field) && mayUpdate
          const isNone = !isEditing && isEmpty(valueOf(record, field.name))
          return (
            <td
              key={field.name}
              className={classes(
                look.cell,
                isNumber(field) && look.number,
                isEditing && styles.editing,
                isNone && styles.none,
              )}
              data-type={field.type}
              // on a phone, where columns have no headers, a number has a label
              data-label={isBare(field) ? field.label : undefined}
              onDoubleClick={canEdit ? () => props.onEdit(cell) : undefined}
              {...shared}
            >
              {isEditing ? (
                <InPlaceEditor
                  module={module}
                  field={field}
                  record={record}
                  onDone={() => props.onEdit(undefined)}
                />
              ) : isNone ? (
                '–'
              ) : (
                <FieldValue field={field} record={record} line />
              )}
            </td>
          )
        })}
      </tr>
    )
  },
  (before, after) =>
    before.record === after.record &&
    before.fields.length === after.fields.length &&
    before.fields.every((field, at) => field === after.fields[at]) &&
    before.isSelected === after.isSelected &&
    before.isPeeked === after.isPeeked &&
    before.isChanged === after.isChanged &&
    before.active === after.active &&
    before.editing === after.editing &&
    before.onToggle === after.onToggle,
)

/** Whether the rows of a module begin with a picture. */
export function hasPicture({ module }: Pick<Module, 'module'>): boolean {
  return ['contacts', 'companies', 'accounts', 'users'].includes(module)
}

/** The address of a record's picture, if it has one. */
export function pictureOf(record: AnyRecord): string | null {
  const found =
    record.profile_image_url ?? record.profile_image ?? record.logo_url ?? record.logo_path
  return typeof found === 'string' ? found : null
}

/** Whether values are right-aligned numbers; health is shown as a bar with its words. */
export function isNumber({ type, look }: Field): boolean {
  return ['number', 'currency', 'percent'].includes(type) && look !== 'score'
}

/** Whether a value needs a label: money has its currency. */
function isBare(field: Field): boolean {
  return isNumber(field) && field.type !== 'currency'
}
