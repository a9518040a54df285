import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icons.tsx'
import look from '../ui/table.module.css'
import styles from './plan.module.css'
import { TitleEditor } from './title-editor.tsx'
import type { useDraft } from './use-draft.ts'

type Line = ReturnType<typeof useDraft>

/** The line into which a new milestone or task is typed. */
export function DraftRow({ line, isFirst, span }: { line: Line; isFirst: boolean; span: number }) {
  const { draft, isWaiting, done, paste } = line
  if (!draft) return null
  const word = draft.level === 1 ? 'milestone' : draft.level === 2 ? 'task' : 'subtask'
  return (
    <tr aria-level={draft.level}>
      <td className={classes(look.cell, styles.number)}>
        <Icon name="plus" size={14} />
      </td>
      <td className={classes(look.cell, styles.edited)} data-column="title">
        <span className={styles.title} data-level={draft.level}>
          <span className={styles.gap} />
          <TitleEditor
            label={`New ${word}`}
            initial={draft.text}
            placeholder={isFirst ? `Type the first ${word}, or paste your list` : `New ${word}`}
            autoFocus={!isWaiting}
            onDone={done}
            onLines={(text) => paste(text)}
          />
        </span>
      </td>
      <td className={classes(look.cell, styles.hint)} colSpan={span}>
        Enter adds it · Tab one level in, Shift+Tab out · Escape ends
      </td>
    </tr>
  )
}
