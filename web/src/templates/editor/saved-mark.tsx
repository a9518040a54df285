import { clock } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { Icon } from '../../ui/icons.tsx'
import type { Edited } from './use-edited.ts'
import styles from './editor.module.css'
import { t } from '../../locales/text.ts'

/** Whether the draft is saved, and why it is not. */
export function SavedMark({ edited }: { edited: Edited }) {
  const format = useFormat()
  const { saving, savedAt, problem } = edited
  const time = savedAt && clock(savedAt, format)
  const words = {
    saved: time ? t('Saved {time}', { time }) : '',
    waiting: t('Saving…'),
    saving: t('Saving…'),
    offline: t('Offline · your changes wait'),
    refused: t('Not saved: {message}', { message: problem?.message ?? '' }),
  }[saving]
  return (
    <span className={styles.saved} data-kind={saving} role="status">
      {saving === 'saved' && time ? <Icon name="check" size={14} /> : null}
      {saving === 'offline' ? <Icon name="wifi-off" size={14} /> : null}
      {words}
    </span>
  )
}
