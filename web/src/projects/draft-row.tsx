import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icons.tsx'
import look from '../ui/table.module.css'
import styles from './plan.module.css'
import type { Words } from './title-words.ts'
import { TitleEditor } from './title-editor.tsx'
import type { TreeRow } from './tree.ts'
import type { useDraft } from './use-draft.ts'
import { t } from '../locales/text.ts'

type Line = ReturnType<typeof useDraft<TreeRow>>

/** The line into which a new milestone or task is typed. */
export function DraftRow({
  line,
  words,
  isFirst,
  span,
}: {
  line: Line
  /** what words at the end of its title can set; none without it */
  words?: Words
  isFirst: boolean
  /** how many columns there are */
  span: number
}) {
  const { draft, isWaiting, done, paste } = line
  if (!draft) return null
  const label = newWords(draft.level)
  return (
    <tr aria-level={draft.level} data-people={words?.people.length || undefined}>
      <td className={classes(look.cell, styles.number)}>
        <Icon name="plus" size={14} />
      </td>
      <td className={classes(look.cell, styles.edited)} data-column="title">
        <span className={styles.title} data-level={draft.level}>
          <span className={styles.gap} />
          <TitleEditor
            label={label}
            initial={draft.text}
            chips={draft.chips}
            words={words && { ...words, isTask: draft.level > 1 }}
            placeholder={isFirst ? firstWords(draft.level) : label}
            autoFocus={!isWaiting}
            onDone={done}
            onLines={(text) => paste(text)}
          />
        </span>
      </td>
      <td className={classes(look.cell, styles.hint)} colSpan={span}>
        {words
          ? t('@name !high fri 3d at the end set owner, priority, due, days')
          : t('Enter adds it · Tab one level in, Shift+Tab out · Escape ends')}
      </td>
    </tr>
  )
}

function newWords(level: number): string {
  if (level === 1) return t('New milestone')
  return level === 2 ? t('New task') : t('New subtask')
}

function firstWords(level: number): string {
  if (level === 1) return t('Type the first milestone, or paste your list')
  return level === 2
    ? t('Type the first task, or paste your list')
    : t('Type the first subtask, or paste your list')
}
