import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Option } from '../field/option.ts'

/** The lanes whose stage means that a deal is lost; none where a board does not ask. */
export function useLostLanes(isAsked: boolean): ReadonlySet<string> {
  const { data = [] } = useQuery({
    queryKey: ['pipelines'],
    queryFn: async () => (await api.get('/api/pipelines/')).data,
    enabled: isAsked,
    staleTime: 300_000,
  })
  const stages = data.flatMap(({ stages: all }) => all as { stage_id: string; category: string }[])
  return new Set(
    stages.filter(({ category }) => category === 'lost').map(({ stage_id }) => stage_id),
  )
}

type Props = { options: Option[]; onChoose: (reason: string) => void; onCancel: () => void }

/** Asks why a deal was lost before it moves there. */
export function LostReason({ options, onChoose, onCancel }: Props) {
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
