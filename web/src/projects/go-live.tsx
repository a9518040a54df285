import type { ProjectPlan } from '../data/project-plan.ts'
import { shortDay } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Hidden } from '../ui/field.tsx'
import { Icon } from '../ui/icons.tsx'
import { t } from '../locales/text.ts'

type Props = { dates: Pick<ProjectPlan['go_live'], 'agreed' | 'forecast'>; days: number }

/** When a project is agreed to go live, and when it is expected to, where that differs; `days` are working days. */
export function GoLive({ dates: { agreed, forecast }, days }: Props) {
  const format = useFormat()
  const shown = agreed ?? forecast
  if (!shown) return <span>–</span>
  if (!agreed || !forecast || !days) return <span>{shortDay(shown, format)}</span>
  const difference =
    days > 0
      ? t('{count} working day later | {count} working days later', { count: Math.abs(days) })
      : t('{count} working day earlier | {count} working days earlier', { count: Math.abs(days) })
  return (
    <>
      <span>{shortDay(agreed, format)}</span>
      <Icon name="arrow-right" size={14} />
      <Hidden>{t('expected')}</Hidden>
      <span data-warn={days > 0 || undefined}>{shortDay(forecast, format)}</span>
      <small>{difference}</small>
    </>
  )
}
