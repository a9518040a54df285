import type { TemplateStatistics } from '../../data/templates.ts'
import { t } from '../../locales/text.ts'

/** How long a line usually takes. */
export type Usual = { median: number; differs: boolean; words: string }

/** From how many finished projects, and how many days, a difference is worth saying. */
const least = { projects: 5, days: 2 }

/** What is known of a line that takes `days` in the template; undefined without a finished project. */
export function usualOf(
  statistics: TemplateStatistics | undefined,
  ref: string,
  days: number,
): Usual | undefined {
  const line = statistics?.lines.find((each) => each.ref === ref)
  if (!line || line.median === null) return undefined
  const { median, n, p85 } = line
  return {
    median,
    differs: n >= least.projects && Math.abs(median - days) >= least.days,
    words: t(
      'Median of {finished} finished; 85 % within {count} day | Median of {finished} finished; 85 % within {count} days',
      { finished: n, count: p85 },
    ),
  }
}

/** The line whose usual days differ most from those planned. */
export function mostDifferent(statistics: TemplateStatistics | undefined) {
  const lines = (statistics?.lines ?? []).flatMap((line) =>
    line.kind === 'task' && line.median !== null && line.median !== line.planned
      ? { ...line, median: line.median }
      : [],
  )
  const by = ({ median, planned }: (typeof lines)[number]) => Math.abs(median - planned)
  return lines.toSorted((a, b) => by(b) - by(a))[0]
}
