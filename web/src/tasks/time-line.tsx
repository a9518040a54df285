import type { TimeEntry } from '../data/time.ts'
import { duration } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Avatar } from '../ui/avatar.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Tag } from '../ui/tag.tsx'
import styles from './time.module.css'
import { t } from '../locales/text.ts'

type Props = { entry: TimeEntry; mayChange: boolean; onEdit: () => void; onDelete: () => void }

/** An entry: whose, how long, what, and whether the customer pays for it. */
export function TimeLine({ entry, mayChange, onEdit, onDelete }: Props) {
  const format = useFormat()
  const { user, seconds, note, is_billable: isBillable } = entry
  const name = user?.full_name ?? t('Somebody who left')
  const shown = duration(seconds, format)
  return (
    <li className={styles.entry}>
      <Avatar name={name} image={user?.profile_image ?? null} size={24} />
      <span className={styles.words}>
        <span>{name}</span>
        {note ? <small>{note}</small> : null}
      </span>
      {isBillable ? null : <Tag>{t('Not billable')}</Tag>}
      <strong>{shown}</strong>
      {mayChange ? (
        <span className={styles.buttons}>
          <IconButton
            size="small"
            icon="pencil"
            label={t('Change {time} of {person}', { time: shown, person: name })}
            onClick={onEdit}
          />
          <IconButton
            size="small"
            icon="trash"
            label={t('Delete {time} of {person}', { time: shown, person: name })}
            onClick={onDelete}
          />
        </span>
      ) : null}
    </li>
  )
}
