import { useRef, useState } from 'react'
import { activeShortcuts } from '../../shortcuts/keys.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import styles from './help.module.css'
import { everywhere } from './open.ts'
import { t } from '../../locales/text.ts'

/** All keys of the page that is open. */
export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  // the keys of the page below at the moment when this opens
  const [shown] = useState(activeShortcuts)
  const list = useRef<HTMLDivElement>(null)
  // those of this page first
  const groups = Object.entries(Object.groupBy(shown, ({ group }) => group)).toSorted(
    ([one], [other]) => Number(one === everywhere) - Number(other === everywhere),
  )
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Keyboard shortcuts')}
      size="large"
      initialFocus={list}
    >
      <div ref={list} className={styles.groups} tabIndex={-1}>
        {groups.map(([group, all = []]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {all.map(({ keys, label }) => (
                <div key={keys}>
                  <dt>{label}</dt>
                  <dd>
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
