import { Link } from '@tanstack/react-router'
import { changeRecord, notifyRefusal } from '../data/change.ts'
import type { DueTask } from '../data/calendar.ts'
import { moduleQuery } from '../data/modules.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import styles from './calendar.module.css'
import { t } from '../locales/text.ts'

/** A task on the day on which it is due, where it can be ticked. */
export function WorkLine({ work: { id, title } }: { work: DueTask }) {
  return (
    <span className={styles.work}>
      <Checkbox
        round
        label={t('Complete {title}', { title })}
        checked={false}
        onChange={() => void complete(id, title)}
      />
      <Link to="/tasks/$id/{-$tab}" params={{ id }}>
        {title}
      </Link>
    </span>
  )
}

async function complete(id: string, title: string): Promise<void> {
  try {
    const tasks = await queryClient.ensureQueryData(moduleQuery('tasks'))
    const set = (is_completed: boolean) =>
      changeRecord(tasks, id, { is_completed }, { regardless: true })
    await set(true)
    notify({
      message: t('“{title}” is done', { title }),
      undo: () => set(false).then(() => undefined, notifyRefusal),
    })
  } catch (error) {
    notifyRefusal(error)
  }
}
