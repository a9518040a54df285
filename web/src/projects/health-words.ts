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
    if (!late) {
      return holds
        ? t(
            '{title} is blocked and holds {count} task | {title} is blocked and holds {count} tasks',
            { title, count: holds },
          )
        : t('{title} is blocked', { title })
    }
    return holds
      ? t(
          '{title} is {days} late and holds {count} task | {title} is {days} late and holds {count} tasks',
          {
            title,
            days: t('{count} day | {count} days', { count: cause.days }),
            count: holds,
          },
        )
      : t('{title} is {count} day late | {title} is {count} days late', {
          title,
          count: cause.days,
        })
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
      return person
        ? t('waits for {title} ({person})', { title, person })
        : t('waits for {title}', { title })
    case 'customer':
      return person
        ? t('waits for the customer ({person})', { person })
        : t('waits for the customer')
    case 'owner':
      return person ? t('with {person}', { person }) : t('with its owner')
    case 'nobody':
      return t('nobody has it')
  }
}
