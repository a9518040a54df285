import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Option } from '../field/option.ts'
import { t } from '../../locales/text.ts'

type Props = { options: Option[]; onChoose: (reason: string) => void; onCancel: () => void }

/** Asks why a deal was lost before it moves there. */
export default function LostReason({ options, onChoose, onCancel }: Props) {
  const [reason, setReason] = useState<string | null>(null)
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onCancel()
      }}
      title={t('Why was it lost?')}
      onSubmit={() => {
        if (reason) onChoose(reason)
      }}
      footer={
        <>
          <Button onClick={onCancel}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" disabled={!reason}>
            {t('Mark as lost')}
          </Button>
        </>
      }
    >
      <Choice
        label={t('Reason')}
        placeholder={t('Reason')}
        value={reason}
        onChange={setReason}
        options={options.map(({ value, label }) => ({ value: String(value), label }))}
      />
    </Dialog>
  )
}
