import { useState } from 'react'
import type { ActivityEntry } from '../../data/activity.ts'
import { takeBack } from '../../data/activity.ts'
import { notifyRefusal } from '../../data/change.ts'
import { notify } from '../../data/notices.ts'
import { capital } from '../../ui/capital.ts'
import { Button } from '../../ui/button.tsx'
import styles from '../activity.module.css'
import { t } from '../../locales/text.ts'

type Preview = Awaited<ReturnType<typeof takeBack>>

/** Takes a change back: first it says what returns, and what stays since it was changed again. */
export default function TakeBack({ entry }: { entry: ActivityEntry }) {
  const [preview, setPreview] = useState<Preview>()
  const { log_id, changes } = entry
  const look = async () => setPreview(await takeBack(log_id, true))
  const take = async () => {
    const { returns } = await takeBack(log_id, false)
    setPreview(undefined)
    notify({ message: t('Taken back: {fields}', { fields: named(returns) }) })
  }
  const named = (fields: string[]) =>
    fields
      .map((name) => capital(changes.find(({ field }) => field === name)?.label ?? name))
      .join(', ')
  if (!preview) {
    return (
      <Button
        size="small"
        variant="quiet"
        icon="undo"
        onClick={() => void look().catch(notifyRefusal)}
      >
        {t('Take back…')}
      </Button>
    )
  }
  const { returns, kept, cannot } = preview
  return (
    <div className={styles.takeBack} role="group" aria-label={t('Take back')}>
      <p role="status">
        {[
          returns.length ? t('As before again: {fields}.', { fields: named(returns) }) : '',
          ...kept.map(({ field, by }) =>
            t('{field} was changed since by {name} and stays.', {
              field: named([field]),
              name: by ?? t('somebody'),
            }),
          ),
          cannot.length ? t('Cannot be taken back: {fields}.', { fields: named(cannot) }) : '',
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {returns.length ? (
        <Button size="small" variant="primary" onClick={() => void take().catch(notifyRefusal)}>
          {t('Take back')}
        </Button>
      ) : null}
      <Button size="small" variant="quiet" onClick={() => setPreview(undefined)}>
        {t('Cancel')}
      </Button>
    </div>
  )
}
