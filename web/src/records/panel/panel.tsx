import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Module } from '../../data/modules.ts'
import { recordQuery, titleOf } from '../../data/record.ts'
import { isConfined, useSession } from '../../data/session.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { ReadFault } from '../read-fault.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Screens, SectionProps, Tab } from '../definition.ts'
import { addressIn, hasTab } from '../definition.ts'
import { Details, useAllFields } from '../page/details.tsx'
import { GoneNote } from '../page/gone-note.tsx'
import { Own } from '../page/own.tsx'
import { RecordHead } from '../page/record-head.tsx'
import { RecordMenu } from '../page/record-menu.tsx'
import { Strip } from '../page/strip.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { Comments } from '../comments/comments.tsx'
import styles from './panel.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  screens: Screens
  id: string
  /** opens with the focus where a comment is written */
  isWriting?: boolean
  onClose: () => void
}

/** A record beside its list: its facts to edit, its latest activity, and the comments. */
export default function Panel({ module, screens, id, isWriting = false, onClose }: Props) {
  const { data: record, error, refetch } = useQuery(recordQuery(module, id))
  const navigate = useNavigate()
  const session = useSession()
  const has = (kind: Tab['kind']) => screens.tabs.some((tab) => tab.kind === kind)
  const open = () => void navigate({ to: addressIn(screens, id) })
  useShortcuts([{ keys: 'o', label: t('Open the page'), group: t('Panel'), run: open }])
  return (
    <aside className={styles.panel} aria-label={record ? titleOf(module, record) : module.word.one}>
      <div className={styles.bar}>
        <IconButton label={t('Close')} icon="x" shortcut="Escape" onClick={onClose} />
        <IconButton label={t('Open the page')} icon="expand" shortcut="o" onClick={open} />
        <span className={styles.space} />
        {record ? (
          <RecordMenu module={module} record={record} screens={screens} onDeleted={onClose} />
        ) : null}
      </div>
      {/* if it cannot be read again, what is shown stays, with the text typed in it */}
      {record ? <GoneNote module={module} record={record} error={error} /> : null}
      {error && !record ? (
        <ReadFault
          small
          title={t('This could not be read')}
          missing={t('This is not here any more')}
          error={error}
          onRetry={refetch}
        />
      ) : record ? (
        <div className={styles.body}>
          <Facts key={id} {...{ module, record, screens }} />
          {screens.tabs.map((tab) =>
            tab.kind === 'own' && tab.isInPanel && hasTab(tab, record, isConfined(session)) ? (
              <section key={tab.name} className={styles.section}>
                <h3>{tab.label}</h3>
                <Own load={tab.load} module={module} record={record} screens={screens} />
              </section>
            ) : null,
          )}
          {has('timeline') ? (
            <section className={styles.section}>
              <h3>{t('Activity')}</h3>
              <Timeline module={module.module} id={id} most={5} />
            </section>
          ) : null}
          {has('comments') ? (
            <section className={styles.section}>
              <h3>{t('Comments')}</h3>
              <Comments module={module} id={id} isWriting={isWriting} />
            </section>
          ) : null}
        </div>
      ) : (
        <div className={styles.body} aria-busy="true">
          <Skeleton height="20px" width="60%" />
        </div>
      )}
    </aside>
  )
}

/** What is known of the record: its name, its figures, what is to be done now, and its details. */
function Facts({ module, record, screens }: SectionProps) {
  const { open, drawer } = useAllFields({ module, record })
  return (
    <>
      <RecordHead module={module} record={record} />
      <div className={styles.head}>
        {screens.head ? (
          <Own load={screens.head} module={module} record={record} screens={screens} />
        ) : (
          <Strip module={module} record={record} />
        )}
      </div>
      {screens.now ? (
        <div className={styles.head}>
          <Own load={screens.now} module={module} record={record} screens={screens} />
        </div>
      ) : null}
      <Details module={module} record={record} onAll={open} />
      {drawer}
    </>
  )
}
