import { useState } from 'react'
import type { PortfolioRow } from '../../data/portfolio.ts'
import { Field } from '../../ui/field.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import MoveDialog from '../move-dialog.tsx'
import { t } from '../../locales/text.ts'

type Props = { project: PortfolioRow; onClose: () => void }

/** Moves all of a project that has not begun, by working days; what moves is shown before it does. */
export default function MoveProject({ project, onClose }: Props) {
  const { project_id: id, project_name: title } = project
  const [days, setDays] = useState<number | null>(5)
  return (
    <MoveDialog
      projectId={id}
      moving={{
        title,
        id,
        start_date: null,
        due_date: null,
        ops: [{ op: 'move_project', days: days ?? 0 }],
      }}
      onClose={onClose}
    >
      <Field label={t('By working days')} hint={t('Less than 0 moves it earlier.')}>
        <NumberField integer min={-3660} max={3660} value={days} onChange={setDays} autoFocus />
      </Field>
    </MoveDialog>
  )
}
