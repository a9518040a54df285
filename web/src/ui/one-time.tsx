import { useState } from 'react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { Code } from './code.tsx'
import css from './dialog.module.css'
import { Dialog } from './dialog.tsx'
import { inSentence, t } from '../locales/text.ts'

/** Shows secrets once: to close it, one must tick that they are saved; `confirm` is the label. */
export function OneTime({
  title,
  secrets,
  confirm,
  onClose,
}: {
  title: string
  secrets: (readonly [label: string, value: string])[]
  confirm: string
  onClose: () => void
}) {
  const [isSaved, setSaved] = useState(false)
  return (
    <Dialog
      open
      size="large"
      closable={false}
      title={title}
      footer={
        <Button variant="primary" disabled={!isSaved} onClick={onClose}>
          {t('Done [button]')}
        </Button>
      }
    >
      <div className={css.secrets}>
        <Banner kind="warn" boxed>
          {t(
            'Copy these now. They are stored so that nobody can read them, and are not shown again.',
          )}
        </Banner>
        {secrets.map(([label, value]) => (
          <div key={label}>
            <h3>{label}</h3>
            <Code code={value} label={t('Copy the {label}', { label: inSentence(label) })} wrap />
          </div>
        ))}
        <Checkbox checked={isSaved} onChange={setSaved}>
          {confirm}
        </Checkbox>
      </div>
    </Dialog>
  )
}
