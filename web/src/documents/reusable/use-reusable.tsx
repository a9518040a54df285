import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import UseDialog from './use-dialog.tsx'
import { t } from '../../locales/text.ts'

/** The button that makes a document of a reusable one, if one may. */
export default function UseReusable({ id }: { id: string }) {
  const mayCreate = useMay('documents', 'create')
  const [isOpened, setOpened] = useState(false)
  if (!mayCreate) return null
  return (
    <>
      <Button variant="primary" onClick={() => setOpened(true)}>
        {t('Use it')}
      </Button>
      {isOpened ? <UseDialog id={id} onClose={() => setOpened(false)} /> : null}
    </>
  )
}
