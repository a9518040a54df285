import type { ProjectPlan } from '../data/project-plan.ts'
import { counted } from '../ui/counted.ts'

export type Health = NonNullable<ProjectPlan['health']>

/** What the health of a project is called. */
export const healthWords: { [state in Health['state']]: string } = {
  planned: 'Planned',
  on_track: 'On track',
  at_risk: 'At risk',
  late: 'Late',
  live: 'Live',
}

/** Why a project is late or at risk, in a sentence; empty where nothing is to be said. */
export function causeWords({ state, days, cause }: Health): string {
  if (cause) {
    const { title, late, holds } = cause
    const what = late ? `is ${counted(cause.days, 'day')} late` : 'is blocked'
    return `${title} ${what}${holds ? ` and holds ${counted(holds, 'task')}` : ''}`
  }
  if (state !== 'late' && state !== 'at_risk') return ''
  return days > 0
    ? `planned ${counted(days, 'working day')} later than agreed`
    : 'the agreed day has passed'
}

/** For whom or what the cause of a project's health waits, in a few words. */
export function waitsWords({ cause }: Health): string {
  if (!cause?.late) return ''
  const { kind, person, title } = cause.late
  switch (kind) {
    case 'predecessor':
      return `waits for ${title}${person ? ` (${person})` : ''}`
    case 'customer':
      return `waits for the customer${person ? ` (${person})` : ''}`
    case 'owner':
      return `with ${person ?? 'its owner'}`
    case 'nobody':
      return 'nobody has it'
  }
}
