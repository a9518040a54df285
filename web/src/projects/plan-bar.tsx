import { useState } from 'react'
import bar from '../records/bulk/bulk-bar.module.css'
import { fieldOf } from '../data/modules.ts'
import type { Edited } from '../records/field/edit.tsx'
import { FieldEditor } from '../records/field/edit.tsx'
import { afterEdit } from '../records/field/edited.ts'
import { useShortcuts } from '../shortcuts/keys.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu } from '../ui/menu.tsx'
import { NumberField } from '../ui/number-field.tsx'
import type { Column } from './columns.ts'
import { loose } from './tree.ts'
import type { Work } from './use-work.ts'
import { isReal, type RealRow } from './tree.ts'
import { inSentence, t } from '../locales/text.ts'

type Props = {
  work: Work
  /** the selected rows */
  chosen: RealRow[]
  /** the field whose dialog is open */
  bulk: Column | undefined
  onBulk: (column: Column | undefined) => void
  onClear: () => void
  /** when a dialog is closed: the focus goes back to the grid */
  onDone: () => void
}

/** What can be done to the selected rows of a plan. */
export default function PlanBar({ work, chosen, bulk, onBulk, onClear, onDone }: Props) {
  const { actions, may } = work
  const [isShifting, setShifting] = useState(false)
  const closed = chosen.filter(({ children, isOpen }) => children && !isOpen)
  // what is below a closed row is as selected as the row
  const ids = new Set([...chosen, ...closed.flatMap(actions.below)].map(({ id }) => id))
  const meant = actions.all.filter(isReal).filter((row) => ids.has(row.id))
  const rows = meant.filter((row) => may(row).change)
  const removable = meant.filter((row) => may(row).delete)
  const quietly = (act: Promise<unknown>) => actions.quietly(act)
  const remove = () => {
    quietly(actions.remove(removable))
    onClear()
  }
  const close = () => {
    onBulk(undefined)
    setShifting(false)
    onDone()
  }
  useShortcuts([
    { keys: 'Escape', label: t('Clear the selection'), group: t('Selection'), run: onClear },
  ])
  const tops = actions.all.filter(({ level, kind }) => level === 1 && kind !== 'loose')
  const count = rows.length
  return (
    <div className={bar.place}>
      <div
        className={bar.bar}
        role="toolbar"
        aria-label={t('{count} row selected | {count} rows selected', { count })}
      >
        <p className={bar.count} role="status">
          <strong>{count}</strong> {t('selected | selected', { count })}
        </p>
        <span className={bar.line} />
        <Quiet icon="user" keys="a" onClick={() => onBulk('owner')}>
          {t('Owner')}
        </Quiet>
        <Menu
          side="top"
          items={[
            { label: t('Move by working days…'), onSelect: () => setShifting(true) },
            { label: t('Set due…'), shortcut: 'd', onSelect: () => onBulk('due') },
          ]}
          trigger={
            <Button size="small" variant="quiet" icon="calendar">
              {t('Dates')}
            </Button>
          }
        />
        <Quiet icon="circle-dot" keys="s" onClick={() => onBulk('status')}>
          {t('Status')}
        </Quiet>
        <Quiet icon="flag" keys="p" onClick={() => onBulk('priority')}>
          {t('Priority')}
        </Quiet>
        <Quiet icon="eye" keys="h" onClick={() => quietly(actions.share(rows))}>
          {t('Share')}
        </Quiet>
        <Menu
          side="top"
          items={[...tops, { id: loose, title: t('No milestone') }].map(({ id, title }) => ({
            label: title,
            onSelect: () =>
              quietly(
                actions.moveTo(
                  rows.filter(({ kind }) => kind === 'task'),
                  id,
                ),
              ),
          }))}
          trigger={
            <Button size="small" variant="quiet" icon="move">
              {t('Move')}
            </Button>
          }
        />
        <Button
          size="small"
          variant="quiet"
          icon="link"
          onClick={() => quietly(actions.linkInOrder(rows))}
        >
          {t('Link in order')}
        </Button>
        {removable.length ? (
          <Quiet icon="trash" keys="Delete" onClick={remove}>
            {t('Delete')}
          </Quiet>
        ) : null}
        <IconButton
          size="small"
          label={t('Clear the selection')}
          icon="x"
          shortcut="Escape"
          onClick={onClear}
        />
      </div>
      {isShifting ? (
        <ShiftDialog
          count={count}
          onClose={close}
          onApply={(days) => {
            close()
            quietly(actions.shift(rows, days))
          }}
        />
      ) : null}
      {bulk ? <FieldDialog key={bulk} {...{ work, rows }} column={bulk} onClose={close} /> : null}
    </div>
  )
}

function Quiet({
  icon,
  keys,
  onClick,
  children,
}: {
  icon: 'user' | 'circle-dot' | 'flag' | 'eye' | 'trash'
  keys: string
  onClick: () => void
  children: string
}) {
  return (
    <Button size="small" variant="quiet" icon={icon} aria-keyshortcuts={keys} onClick={onClick}>
      {children}
    </Button>
  )
}

type ShiftProps = { count: number; onClose: () => void; onApply: (days: number) => void }

function ShiftDialog({ count, onClose, onApply }: ShiftProps) {
  const [days, setDays] = useState<number | null>(1)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Move {count} row | Move {count} rows', { count })}
      onSubmit={() => {
        if (days) onApply(days)
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" disabled={!days}>
            {t('Move')}
          </Button>
        </>
      }
    >
      <Field label={t('Working days')} hint={t('Earlier with a minus')}>
        <NumberField integer min={-3660} max={3660} value={days} onChange={setDays} />
      </Field>
    </Dialog>
  )
}

type FieldProps = {
  work: Work
  rows: RealRow[]
  column: Column
  onClose: () => void
}

const fieldNames: { [column in Column]?: string } = {
  owner: 'owner',
  status: 'status',
  due: 'due_date',
  priority: 'priority',
}

/** Gives the selected rows the same value. */
function FieldDialog({ work, rows, column, onClose }: FieldProps) {
  const { actions, rights } = work
  const [shown, setShown] = useState({})
  const [edited, setEdited] = useState<Edited>()
  const field = fieldOf(rights.tasks, fieldNames[column] ?? '')
  if (!field) return null
  const count = rows.length
  const apply = () => {
    if (edited === undefined) return
    onClose()
    const { value } = edited
    if (column === 'due') {
      const day = typeof value === 'string' ? value : null
      return actions.quietly(actions.setDueOf(rows, day))
    }
    // milestones have statuses of their own, and no priority
    const isOfBoth = column === 'owner'
    const message = t('{field} of {count} row changed | {field} of {count} rows changed', {
      field: field.label,
      count,
    })
    actions.quietly(actions.changeMany(rows, field.name, value, { message, isOfBoth }))
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Change the {field} of {count} row | Change the {field} of {count} rows', {
        field: inSentence(field.label),
        count,
      })}
      onSubmit={apply}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" disabled={edited === undefined}>
            {t('Change {count} row | Change {count} rows', { count })}
          </Button>
        </>
      }
    >
      <Field label={field.label}>
        <FieldEditor
          field={field}
          record={shown}
          onCommit={() => {}}
          onChange={(next) => {
            setEdited(next)
            setShown((before) => afterEdit(before, field, next))
          }}
        />
      </Field>
    </Dialog>
  )
}
