import { useState } from 'react'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Code } from '../ui/code.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from './developers.module.css'
import type { AppWithSecrets } from './queries.ts'
import { noteSecrets } from './secrets.ts'

type Props = { app: AppWithSecrets; isNew?: boolean; onClose: () => void }

/** The secrets of an app, which are never shown again. */
export function SecretsDialog({ app, isNew = false, onClose }: Props) {
  return (
    <OneTime
      title={isNew ? `${app.name} is created` : `New secrets of ${app.name}`}
      secrets={[
        ['Client id', app.client_id],
        ...(app.client_secret ? [['Client secret', app.client_secret] as const] : []),
        ...(app.function_key ? [['Function key', app.function_key] as const] : []),
      ]}
      onClose={() => {
        noteSecrets(app)
        onClose()
      }}
    />
  )
}

type OneTimeProps = {
  title: string
  secrets: (readonly [label: string, value: string])[]
  onClose: () => void
}

/** Shows secrets once: closing takes a tick that they are saved. */
export function OneTime({ title, secrets, onClose }: OneTimeProps) {
  const [isSaved, setSaved] = useState(false)
  return (
    <Dialog
      open
      size="large"
      closable={false}
      title={title}
      footer={
        <Button variant="primary" disabled={!isSaved} onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className={styles.form}>
        <Banner kind="warn" boxed>
          Copy these now. They are stored in a form that nobody can read, and are not shown again.
        </Banner>
        {secrets.map(([label, value]) => (
          <div key={label}>
            <h3>{label}</h3>
            <Code code={value} label={`Copy the ${label.toLowerCase()}`} wrap />
          </div>
        ))}
        <Checkbox checked={isSaved} onChange={setSaved}>
          I have saved them where only my connector reads them
        </Checkbox>
      </div>
    </Dialog>
  )
}
