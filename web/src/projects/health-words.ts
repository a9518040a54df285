import type { ProjectPlan } from '../data/project-plan.ts'
import { t } from '../locales/text.ts'

export type Health = NonNullable<ProjectPlan['health']>

/** What the health of a project is called. */
export const healthWords: { [state in Health['state']]: string } = {
  planned: t('Planned'),
  on_track: t('On track'),
  at_risk: t('At risk'),
  late: t('Late'),
  live: t('Live'),
}

/** Why a project is late or at risk, in a sentence; empty where nothing is to be said. */
export function causeWords({ state, days, cause }: Health): string {
  if (cause) {
    const { title, late, holds } = cause
    const what = late
      ? t('is {count} day late | is {count} days late', { count: cause.days })
      : t('is blocked')
    return holds
      ? t('{title} {what} and holds {count} task | {title} {what} and holds {count} tasks', {
          title,
          what,
          count: holds,
        })
      : `${title} ${what}`
  }
  if (state !== 'late' && state !== 'at_risk') return ''
  return days > 0
    ? t(
        'planned {count} working day later than agreed | planned {count} working days later than agreed',
        { count: days },
      )
    : t('the agreed day has passed')
}

/** For whom or what the cause of a project's health waits, in a few words. */
export function waitsWords({ cause }: Health): string {
  if (!cause?.late) return ''
  const { kind, person, title } = cause.late
  switch (kind) {
    case 'predecessor':
      return t('waits for {title}{value}', { title, value: person ? ` (${person})` : '' })
    case 'customer':
      return t('waits for the customer{value}', { value: person ? ` (${person})` : '' })
    case 'owner':
      return t('with {person}', { person: person ?? t('its owner') })
    case 'nobody':
      return t('nobody has it')
  }
}
