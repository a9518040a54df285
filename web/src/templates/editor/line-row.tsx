import type { ReactNode } from 'react'
import { memo } from 'react'
import { nameOfCell } from '../../projects/row-props.ts'
import { spentText } from '../../tasks/spent.ts'
import { classes } from '../../ui/classes.ts'
import { Hidden } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import look from '../../ui/table.module.css'
import plan from '../../projects/plan.module.css'
import type { Column } from './columns.ts'
import { columns, numeric } from './columns.ts'
import type { LineRow } from './lines.ts'
import { RoleSign } from './role-sign.tsx'
import type { Usual } from './usual.ts'
import styles from './editor.module.css'
import { t } from '../../locales/text.ts'

/** What a row of the grid does: the same functions for all rows. */
export type LineActs = {
  onActive: (id: string, column: Column) => void
  onEdit: (id: string, column: Column) => void
  onToggle: (id: string) => void
  onMenu: (id: string, button: Element) => void
  onUse: (id: string, days: number) => void
}

type Props = {
  row: LineRow
  /** the day in words, where dates are shown */
  day: string
  after: string
  role: { name: string; key: string; isTheirs: boolean } | undefined
  usual: Usual | undefined
  form: string | undefined
  document: string | undefined
  /** on what it rests, as "added by hand in 5 of 7" */
  evidence: string | undefined
  mayEdit: boolean
  active: Column | undefined
  editor: { column: Column; node: ReactNode } | undefined
  acts: LineActs
}

/** A line of a template as a row of its grid. */
export const LineGridRow = memo(function LineGridRow(props: Props) {
  const { row, active, editor, acts, mayEdit } = props
  return (
    <tr
      className={classes(look.row, row.level === 1 && plan.top)}
      aria-level={row.level}
      aria-setsize={row.of}
      aria-posinset={row.at}
      aria-expanded={row.children ? row.isOpen : undefined}
    >
      <td className={classes(look.cell, look.number, plan.number)}>{row.number}</td>
      {columns.map(({ name }) => {
        const isEdited = editor?.column === name
        return (
          <td
            key={name}
            className={classes(
              look.cell,
              numeric.includes(name) && look.number,
              isEdited && plan.edited,
            )}
            tabIndex={active === name && !isEdited ? 0 : -1}
            data-cell={nameOfCell(row.id, name)}
            data-column={name}
            onFocus={() => acts.onActive(row.id, name)}
            onDoubleClick={() => acts.onEdit(row.id, name)}
          >
            {isEdited && name !== 'title' ? editor.node : <Value column={name} {...props} />}
          </td>
        )
      })}
      <td className={classes(look.cell, plan.menu)}>
        {mayEdit ? (
          <IconButton
            label={t('More for {title}', { title: row.title })}
            icon="more"
            size="small"
            tabIndex={-1}
            aria-haspopup="menu"
            onClick={({ currentTarget }) => acts.onMenu(row.id, currentTarget)}
          />
        ) : null}
      </td>
    </tr>
  )
})

function Value({ column, ...props }: Props & { column: Column }) {
  const { row, day, after, role, usual, mayEdit, acts } = props
  const line = row.kind === 'task' ? row.task : row.kind === 'milestone' ? row.milestone : undefined
  const isComputed = row.children > 0 || undefined
  switch (column) {
    case 'title':
      return <Title {...props} />
    case 'role':
      return role ? <RoleSign {...role} /> : null
    case 'day':
      return <span data-quiet={isComputed}>{day}</span>
    case 'days':
      return <span data-quiet={isComputed}>{line?.days}</span>
    case 'estimate': {
      const minutes = row.kind === 'task' ? row.task.minutes : null
      return minutes === null ? null : <span>{spentText(60 * minutes)}</span>
    }
    case 'after':
      return after ? <span className={plan.after}>{after}</span> : null
    case 'usually':
      if (!usual) return null
      return (
        <span
          className={styles.usual}
          data-differs={usual.differs || undefined}
          title={usual.words}
        >
          {usual.median}
          {usual.differs && mayEdit && !row.children ? (
            <button
              type="button"
              tabIndex={-1}
              aria-label={t('Use {count} day for {title} | Use {count} days for {title}', {
                count: usual.median,
                title: row.title,
              })}
              onClick={() => acts.onUse(row.id, usual.median)}
            >
              {t('Use {days}', { days: usual.median })}
            </button>
          ) : null}
        </span>
      )
    case 'shared':
      return line?.is_shared ? (
        <>
          <Icon name="eye" size={14} />
          <Hidden>{t('Shared')}</Hidden>
        </>
      ) : null
  }
}

function Title({ row, editor, acts, form, document, evidence }: Props) {
  const isEdited = editor?.column === 'title'
  return (
    <span className={plan.title} data-level={row.level}>
      {row.children ? (
        <IconButton
          label={
            row.isOpen
              ? t('Close {title}', { title: row.title })
              : t('Open {title}', { title: row.title })
          }
          icon={row.isOpen ? 'chevron-down' : 'chevron-right'}
          size="small"
          tabIndex={-1}
          onClick={() => acts.onToggle(row.id)}
        />
      ) : (
        <span className={plan.gap} />
      )}
      {isEdited ? editor.node : <span className={plan.name}>{row.title}</span>}
      {row.kind === 'milestone' && !isEdited ? (
        <span className={styles.note}>
          {t('{count} task | {count} tasks', { count: row.children })}
        </span>
      ) : null}
      {form && !isEdited ? (
        <span className={styles.chip} title={t('A form')}>
          <Icon name="clipboard" size={14} />
          <span>{form}</span>
        </span>
      ) : null}
      {document && !isEdited ? (
        <span className={styles.chip} title={t('A document')}>
          <Icon name="file" size={14} />
          <span>{document}</span>
        </span>
      ) : null}
      {evidence && !isEdited ? <span className={styles.note}>{evidence}</span> : null}
    </span>
  )
}
