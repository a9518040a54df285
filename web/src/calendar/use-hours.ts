import { useQuery } from '@tanstack/react-query'
import { freeBusyQuery } from '../data/free-busy.ts'
import { useMay, useSession } from '../data/session.ts'
import { addDays } from '../records/field/format.ts'
import { instantAt, localTime } from '../records/field/local-time.ts'
import { useFormat } from '../records/field/use-format.ts'
import { minutesOf } from './days.ts'

/** The hours of a day outside the person's working time, in minutes, and the holiday that it is. */
export type DayHours = { off: { from: number; to: number }[]; holiday: string | undefined }

/** When the person works on these days, if it is shown; undefined until it is known, and for whoever may not know. */
export function useHours(
  days: string[],
  isShown: boolean,
): ((day: string) => DayHours) | undefined {
  const { user } = useSession()
  const { timezone } = useFormat()
  const mayAsk = useMay('calendar', 'create')
  const [first = '', last = first] = [days[0], days.at(-1)]
  const { data, isPlaceholderData } = useQuery({
    ...freeBusyQuery({
      people: [user.user_id],
      from: instantAt(`${first}T00:00`, timezone),
      to: instantAt(`${addDays(last, 1)}T00:00`, timezone),
    }),
    enabled: mayAsk && isShown,
  })
  // those of the days before say nothing of these
  const me = isPlaceholderData ? undefined : data?.people[0]
  if (!me) return undefined
  return (day) => {
    const working = me.working
      .flatMap(({ from, to }) => {
        const [begins, ends] = [localTime(from, timezone), localTime(to, timezone)]
        if (begins.slice(0, 10) > day || ends.slice(0, 10) < day) return []
        return {
          from: begins.slice(0, 10) < day ? 0 : minutesOf(begins.slice(11)),
          to: ends.slice(0, 10) > day ? 24 * 60 : minutesOf(ends.slice(11)),
        }
      })
      .toSorted((a, b) => a.from - b.from)
    const holiday = me.busy.find(
      ({ why, from, to }) =>
        why === 'holiday' &&
        localTime(from, timezone).slice(0, 10) <= day &&
        localTime(to, timezone).slice(0, 10) > day,
    )
    const ends = [0, ...working.map(({ to }) => to)]
    const begins = [...working.map(({ from }) => from), 24 * 60]
    const off = ends
      .map((from, at) => ({ from, to: begins[at] ?? 24 * 60 }))
      .filter(({ from, to }) => to > from)
    return { off, holiday: holiday ? (holiday.title ?? '') : undefined }
  }
}
