import { notifyRefusal } from '../../data/change.ts'
import type { PlanOp } from '../../data/plan-moves.ts'
import type { ProjectPlan } from '../../data/project-plan.ts'
import { removeBaseline } from '../../data/project-plan.ts'
import type { Format } from '../../records/field/format.ts'
import { shortDay } from '../../records/field/format.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import type { Work } from '../use-work.ts'
import { t } from '../../locales/text.ts'

type Props = {
  work: Work
  /** shows what a change would move, for the person to agree to */
  ask: (title: string, ops: PlanOp[]) => void
  mayAct: boolean
  mayPlan: boolean
  hasUndated: boolean
  /** the baseline that the plan is compared to */
  compared: ProjectPlan['baselines'][number] | undefined
  format: Format
  onBaseline: () => void
}

/** What is done to the whole plan of a timeline, as far as the person may. */
export function menuOf({
  work,
  ask,
  mayAct,
  mayPlan,
  hasUndated,
  compared,
  format,
  onBaseline,
}: Props): MenuItem[] {
  const { agreed, forecast } = work.plan.go_live
  return [
    ...(mayAct
      ? [
          {
            label: t('Close gaps…'),
            icon: 'merge' as const,
            onSelect: () => ask(t('Close gaps'), [{ op: 'close_gaps' }]),
          },
        ]
      : []),
    ...(mayAct && hasUndated
      ? [
          {
            label: t('Schedule what has no dates…'),
            icon: 'calendar' as const,
            onSelect: () => ask(t('Schedule'), [{ op: 'schedule' }]),
          },
        ]
      : []),
    ...(mayPlan && agreed && forecast && forecast > agreed
      ? [
          {
            label: t('Propose {day} as the go-live…', { day: shortDay(forecast, format) }),
            icon: 'flag' as const,
            onSelect: () => ask(t('Agreed go-live'), [{ op: 'agree', due_date: forecast }]),
          },
        ]
      : []),
    ...(mayPlan
      ? [{ label: t('Set baseline…'), icon: 'history' as const, onSelect: onBaseline }]
      : []),
    ...(mayPlan && compared?.creation_time
      ? [
          {
            label: t('Delete baseline {name}', { name: compared.name }),
            icon: 'trash' as const,
            danger: true,
            onSelect: () =>
              void removeBaseline(work.projectId, compared.baseline_id).catch(notifyRefusal),
          },
        ]
      : []),
  ]
}
