import { Temporal } from 'temporal-polyfill'
/** Which of two numbers is the day. */
export const dateOrders = ['day_first', 'month_first'] as const
export type DateOrder = (typeof dateOrders)[number]

/** A text read as a day, as far as it is unambiguous. */
export type DateReading = {
  /** the day in each order, as YYYY-MM-DD; if the text is unambiguous, only one or both the same */
  by: { [order in DateOrder]?: string }
  /** the time after it, as HH:MM:SS and the rest of ISO 8601; none for a day alone */
  time?: string
}

/**
 * Reads a text as a day, perhaps with a time: `31.12.2026`, `12/31/2026`, `2026-12-31`, `31-Dez-2026`,
 * `Dec 31, 2026 2:30 PM`, or the number that Excel stores. Undefined if it is none. A text such as
 * `03/04/2026` may be two days, and its column has to decide. Two digits are a year from 1970 to
 * 2069.
 */
export function readDate(text: string): DateReading | undefined {
  if (text.length > 50 || !/\d/.test(text)) return undefined
  const bare = text
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
    .replace(/^\p{L}{2,12}\.?,?\s+(?=\d{1,4}[\s./-])/u, (word) => (monthOf(word) ? word : ''))
    .trim()
  const { day, time } = split(bare)
  if (time === null) return undefined
  const by = daysOf(day)
  if (!by) return undefined
  return time === undefined ? { by } : { by, time }
}

/** The day of an Excel serial number, with its time if it has one; undefined outside 1920 to 2119. */
export function serialDate(serial: number, is1904 = false): string | undefined {
  const days = serial + (is1904 ? 1462 : 0)
  if (!(days >= 7306 && days < 80_355)) return undefined
  const at = new Date(Math.round((days - 25_569) * 86_400) * 1000).toISOString()
  return Number.isInteger(days) ? at.slice(0, 10) : at.slice(0, 19)
}

/** The day in the order of its column; undefined if the text is ambiguous and the column has no order. */
export function dayBy({ by }: DateReading, order: DateOrder | undefined): string | undefined {
  const { day_first: day, month_first: month } = by
  if (day === undefined || month === undefined) return day ?? month
  if (day === month) return day
  return order && by[order]
}

/** An instant as the clock of a zone shows it, `2026-12-31 14:30:00`; undefined for a text that is none. */
export function clockTime(text: string, timezone: string): string | undefined {
  const at = instant(text)?.toZonedDateTimeISO(timezone)
  return (
    at && `${at.toPlainDate().toString()} ${at.toPlainTime().toString({ smallestUnit: 'second' })}`
  )
}

/**
 * The Excel serial number of a day, or of an instant by the clock of a zone; undefined for other texts, and
 * before March 1900, which programs count in different ways.
 */
export function serialOf(text: string, timezone: string): number | undefined {
  const local = /^\d{4}-\d\d-\d\d$/.test(text)
    ? text
    : instant(text)?.toZonedDateTimeISO(timezone).toPlainDateTime().toString()
  if (local === undefined) return undefined
  const days = Date.parse(local.length > 10 ? `${local}Z` : local) / 86_400_000 + 25_569
  return days >= 61 && days < 2_958_466 ? days : undefined
}

function instant(text: string): Temporal.Instant | undefined {
  try {
    return Temporal.Instant.from(text)
  } catch {
    return undefined
  }
}

/** What a value says about the order of its column. */
export function ordered({ by }: DateReading): DateOrder | 'both' | 'ambiguous' {
  const { day_first: day, month_first: month } = by
  if (day === undefined) return 'month_first'
  if (month === undefined) return 'day_first'
  return day === month ? 'both' : 'ambiguous'
}

const clock =
  /[T\s,]+(?:um |at |à )?(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,6}))?)?\s*(am|pm|a\.m\.|p\.m\.|uhr|h)?\s*(z|utc|gmt|[+-]\d{2}:?\d{2})?$/i

/** The day and the time of a text; null for an invalid time. */
function split(text: string): { day: string; time?: string | null } {
  const found = clock.exec(text)
  if (!found) return { day: text }
  const [all, hours = '', minutes = '', seconds = '00', fraction, half = '', zone = ''] = found
  const day = text.slice(0, text.length - all.length)
  let hour = Number(hours)
  if (/^[ap]/i.test(half)) {
    if (hour < 1 || hour > 12) return { day, time: null }
    hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0)
  }
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return { day, time: null }
  const offset = /^[a-z]/i.test(zone) ? 'Z' : zone
  const rest = fraction ? `.${fraction}` : ''
  return { day, time: `${String(hour).padStart(2, '0')}:${minutes}:${seconds}${rest}${offset}` }
}

function daysOf(text: string): DateReading['by'] | undefined {
  const both = (day: string | undefined) => day && { day_first: day, month_first: day }
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$|^(\d{4})(\d{2})(\d{2})$/.exec(text)
  if (iso) {
    const [year, month, day] = iso[1] ? [iso[1], iso[3], iso[4]] : iso.slice(5)
    return both(dayOf(year, month, day)) || undefined
  }
  const numeric = /^(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})$/.exec(text)
  if (numeric) {
    const [, first, sign, second, year] = numeric
    const day_first = dayOf(year, second, first)
    // with points in between, nobody writes the month first
    const month_first = sign === '.' ? undefined : dayOf(year, first, second)
    if (!day_first && !month_first) return undefined
    return { ...(day_first && { day_first }), ...(month_first && { month_first }) }
  }
  const named =
    /^(\d{1,2})(?:\.|st|nd|rd|th|er|º|o)?[\s/-]*(?:de |d')?(\p{L}{3,12})\.?,?[\s/-]*(?:de |del )?(\d{4}|\d{2})$/iu.exec(
      text,
    )
  if (named) return both(dayOf(named[3], monthOf(named[2]), named[1])) || undefined
  const american = /^(\p{L}{3,12})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(\d{4}|\d{2})$/iu.exec(
    text,
  )
  if (american) return both(dayOf(american[3], monthOf(american[1]), american[2])) || undefined
  return undefined
}

type Part = string | number | undefined

function dayOf(year: Part, month: Part, day: Part): string | undefined {
  if (!year || !month || !day) return undefined
  const short = Number(year)
  const whole = String(year).length > 2 ? short : short + (short < 70 ? 2000 : 1900)
  const text = `${String(whole).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(+date) && date.toISOString().startsWith(text) && whole > 0 ? text : undefined
}

/** The months in seven languages by their first letters, as far as these are unique. */
const months = [
  'jan janv ene gen',
  'feb fev febr fevr',
  'mar mrz marz maer maerz mars mrt maart',
  'apr avr abr april avril',
  'mai may mag mei maggio mayo maio',
  'jun juin giu jun',
  'jul juil lug',
  'aug aou aout ago',
  'sep sept set settembre setembro septembre',
  'oct okt ott out',
  'nov noviembre',
  'dec dez dic dezember',
].map((words) => words.split(' '))

function monthOf(word: string | undefined): number | undefined {
  const letters = plain(word ?? '')
  if (letters.length < 3) return undefined
  const exact = months.findIndex((words) => words.includes(letters))
  return exact >= 0 ? exact + 1 : (names ??= namesOfMonths()).get(letters)
}

/** A word in lower case, trimmed, without accents and full stops. */
function plain(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f.,]/g, '')
}

/** Computed at first use: the start does not need the names, and they take 14 ms. */
let names: Map<string, number> | undefined

/** The names and short names of all months in the languages of the headers. */
function namesOfMonths(): Map<string, number> {
  const all = ['en', 'de', 'de-AT', 'fr', 'es', 'it', 'pt', 'nl'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) => {
      const { format } = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' })
      return Array.from({ length: 12 }, (_, at): [string, number] => [
        plain(format(new Date(Date.UTC(2026, at, 1)))),
        at + 1,
      ])
    }),
  )
  return new Map(all)
}
