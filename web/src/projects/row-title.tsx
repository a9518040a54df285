import { Checkbox } from '../ui/checkbox.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Progress } from '../ui/progress.tsx'
import { Rated } from './rated.tsx'
import type { RowProps } from './row-props.ts'
import styles from './plan.module.css'
import { t } from '../locales/text.ts'

/** What a row is called, with what is the matter with it: its level, whether it is open, and its tick before that. */
export function RowTitle({ row, trouble, mayTick, editor, acts }: RowProps) {
  const isEdited = editor?.column === 'title'
  return (
    <span className={styles.title} data-level={row.level}>
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
        <span className={styles.gap} />
      )}
      {row.kind === 'task' ? (
        <Checkbox
          label={t('Complete {title}', { title: row.title })}
          checked={row.task.is_completed}
          disabled={!mayTick}
          tabIndex={-1}
          onChange={() => acts.onTick(row.id)}
        />
      ) : null}
      {isEdited ? (
        editor.node
      ) : row.kind === 'task' ? (
        // a plain one: the router's costs a third of a row, and the click stays on the page
        <a
          href={`/tasks/${row.id}`}
          tabIndex={-1}
          className={styles.name}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            acts.onOpen(row.id)
          }}
        >
          {row.title}
        </a>
      ) : (
        <span className={styles.name}>{row.title}</span>
      )}
      {row.kind === 'milestone' && !isEdited ? (
        <span className={styles.progress}>
          {row.milestone.completed_at ? <Icon name="circle-check" size={14} /> : null}
          <Progress
            label={t('Completed of {title}', { title: row.title })}
            value={row.milestone.completed_tasks_count}
            max={row.milestone.tasks_count}
            text={t('{completed} of {tasks}', {
              completed: row.milestone.completed_tasks_count,
              tasks: row.milestone.tasks_count,
            })}
          />
        </span>
      ) : null}
      {row.kind === 'milestone' && !isEdited ? <Rated rating={row.milestone.rating} /> : null}
      {trouble && !isEdited ? (
        <span className={styles.trouble} data-kind={trouble.kind} title={trouble.title}>
          <Icon name={trouble.kind === 'late' ? 'clock' : 'lock'} size={14} />
          <span>{trouble.text}</span>
        </span>
      ) : null}
    </span>
  )
}
