import { instantAt, localTime } from '../records/field/local-time.ts'
import { useFormat } from '../records/field/use-format.ts'
import { minutesOf, timeOf } from './days.ts'
import { y } from './hours.ts'
import { minuteWords } from './words.ts'

/** What a clock elsewhere shows beside the hours; "+1" where it is an hour later on other days of the week. */
export function ZoneHours({ zone, days }: { zone: string; days: string[] }) {
  const format = useFormat()
  const there = (day: string, at: number) =>
    minutesOf(localTime(instantAt(`${day}T${timeOf(at)}`, format.timezone), zone).slice(11))
  const [first = '', last = first] = [days[0], days.at(-1)]
  return (
    <div>
      {Array.from({ length: 23 }, (_, index) => {
        const at = (index + 1) * 60
        const begin = there(first, at)
        const change = (((there(last, at) - begin + 720 + 1440) % 1440) - 720) / 60
        return (
          <span key={at} style={{ top: y(at) }}>
            {minuteWords(begin, format)}
            {change ? <sup>{change > 0 ? `+${change}` : change}</sup> : null}
          </span>
        )
      })}
    </div>
  )
}
