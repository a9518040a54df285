import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Option } from '../field/option.ts'

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
      title="Why was it lost?"
      onSubmit={() => {
        if (reason) onChoose(reason)
      }}
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={!reason}>
            Mark as lost
          </Button>
        </>
      }
    >
      <Choice
        label="Reason"
        placeholder="Reason"
        value={reason}
        onChange={setReason}
        options={options.map(({ value, label }) => ({ value: String(value), label }))}
      />
    </Dialog>
  )
}
