import { memo } from 'react'
import type { PlanTask } from '../data/project-plan.ts'
import { hours, shortDay } from '../records/field/format.ts'
import { personIn } from '../records/field/linked.ts'
import { PersonName } from '../records/field/show.tsx'
import { useFormat } from '../records/field/use-format.ts'
import { classes } from '../ui/classes.ts'
import { Hidden } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { hueOfOption } from '../ui/hue.ts'
import { Icon } from '../ui/icons.tsx'
import { Status } from '../ui/status.tsx'
import look from '../ui/table.module.css'
import type { Column } from './columns.ts'
import { numeric } from './columns.ts'
import styles from './plan.module.css'
import type { RowProps } from './row-props.ts'
import { isSame, nameOfCell } from './row-props.ts'
import { RowTitle } from './row-title.tsx'
import type { PlanRow } from './tree.ts'
import { t } from '../locales/text.ts'

/** A milestone or task as a row of the grid. */
export const PlanGridRow = memo(function PlanGridRow(props: RowProps) {
  const { row, index, active, editor, acts, isOpened, isChanged, isSelected, isFaint, columns } =
    props
  return (
    <tr
      className={classes(look.row, row.level === 1 && styles.top)}
      aria-level={row.level}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-setsize={row.of}
      aria-posinset={row.at}
      aria-expanded={row.children ? row.isOpen : undefined}
      data-picked={isOpened || undefined}
      data-changed={isChanged || undefined}
      data-done={isDone(row) || undefined}
      data-faint={isFaint || undefined}
      data-row={row.id}
    >
      <td className={classes(look.cell, look.number, styles.number)}>
        <span>{row.number}</span>
        {props.mayTick ? (
          <span
            aria-hidden="true"
            className={styles.grip}
            draggable
            onDragStart={(event) => acts.onDrag(row.id, event)}
          >
            <Icon name="grip" size={14} />
          </span>
        ) : null}
      </td>
      {columns.map((name) => {
        const isEdited = editor?.column === name
        return (
          <td
            key={name}
            className={classes(
              look.cell,
              numeric.has(name) && look.number,
              name === 'title' && styles.pinned,
              isEdited && styles.edited,
            )}
            tabIndex={active === name && !isEdited ? 0 : -1}
            data-cell={nameOfCell(row.id, name)}
            data-column={name}
            onFocus={() => acts.onActive(row.id, name)}
            onMouseDown={(event) => acts.onSelect(row.id, event)}
            onDoubleClick={() => acts.onEdit(row.id, name)}
          >
            {isEdited && name !== 'title' ? editor.node : <CellValue column={name} {...props} />}
          </td>
        )
      })}
      <td className={classes(look.cell, styles.menu)}>
        {row.kind === 'loose' ? null : (
          <IconButton
            label={t('More for {title}', { title: row.title })}
            icon="more"
            size="small"
            tabIndex={-1}
            aria-haspopup="menu"
            onClick={({ currentTarget }) => acts.onMenu(row.id, currentTarget)}
          />
        )}
      </td>
    </tr>
  )
}, isSame)

function isDone(row: PlanRow): boolean {
  if (row.kind === 'loose') return false
  return row.kind === 'task' ? row.task.is_completed : row.milestone.completed_at !== null
}

function CellValue({ column, ...props }: RowProps & { column: Column }) {
  const { row, span, after, isLate, format } = props
  const shown = (day: string | null) => (day ? shortDay(day, format) : '–')
  const record = row.kind === 'task' ? row.task : row.kind === 'milestone' ? row.milestone : null
  switch (column) {
    case 'title':
      return <RowTitle {...props} />
    case 'owner': {
      const owner = personIn(record?.owner)
      return owner ? <PersonName name={owner.full_name} image={owner.profile_image} /> : null
    }
    case 'start':
      return record ? (
        <span data-quiet={span.isComputed || undefined}>{shown(span.start)}</span>
      ) : null
    case 'due':
      return record ? (
        <span
          className={isLate ? styles.late : undefined}
          data-quiet={span.isComputed || undefined}
        >
          {shown(span.due)}
        </span>
      ) : null
    case 'days':
      return row.kind === 'task' ? (row.task.duration_days ?? '–') : null
    case 'status': {
      if (!record?.status) return null
      const { status_key: value, category: kind, color, status_name } = record.status
      return <Status color={hueOfOption({ value, kind, color })}>{status_name}</Status>
    }
    case 'priority':
      return row.kind === 'task' && row.task.priority ? (
        <Status color={hueOfOption(row.task.priority)}>{row.task.priority.label}</Status>
      ) : null
    case 'time':
      return row.kind === 'task' ? <Time task={row.task} /> : null
    case 'slack': {
      if (row.kind !== 'task' || !row.task.slack) return null
      const { go_live } = row.task.slack
      return row.task.is_critical ? t('critical') : t('{days} d', { days: go_live })
    }
    case 'forecast': {
      const due = row.kind === 'task' ? row.task.forecast?.due : null
      const expected = row.kind === 'milestone' ? row.milestone.forecast_date : due
      return expected ? shortDay(expected, format) : null
    }
    case 'after':
      return after ? <span className={styles.after}>{after}</span> : null
    case 'shared':
      return record?.is_shared ? (
        <>
          <Icon name="eye" size={14} />
          <Hidden>{t('Shared')}</Hidden>
        </>
      ) : null
  }
}

/** The time spent on a task, of what was estimated: 6 h / 16 h. */
function Time({ task }: { task: PlanTask }) {
  const format = useFormat()
  const { spent_minutes: spent, estimate_minutes: estimate, is_timer_running: isRunning } = task
  if (!spent && !estimate && !isRunning) return null
  const shown = [spent, ...(estimate ? [estimate] : [])].map((each) => hours(60 * each, format))
  return (
    <>
      {isRunning ? <Icon name="clock" size={14} /> : null}
      {shown.join(' / ')}
    </>
  )
}
