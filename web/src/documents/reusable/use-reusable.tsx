import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { later } from '../../records/later.tsx'
import UseDialog from './use-dialog.tsx'
import { t } from '../../locales/text.ts'

const SendToMany = later(() => import('../many/send-to-many.tsx'), 'shown')

/** The buttons that make a document of a reusable one, or one for each of many, if one may. */
export default function UseReusable({ id }: { id: string }) {
  const mayCreate = useMay('documents', 'create')
  const mayUpdate = useMay('documents', 'update')
  const [isOpened, setOpened] = useState(false)
  const [isSending, setSending] = useState(false)
  if (!mayCreate) return null
  return (
    <>
      <Button variant="primary" onClick={() => setOpened(true)}>
        {t('Use it')}
      </Button>
      {mayUpdate ? (
        <Button icon="send" onClick={() => setSending(true)}>
          {t('Send to many')}
        </Button>
      ) : null}
      {isSending ? <SendToMany id={id} onClose={() => setSending(false)} /> : null}
      {isOpened ? <UseDialog id={id} onClose={() => setOpened(false)} /> : null}
    </>
  )
}
