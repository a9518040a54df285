import { Temporal } from 'temporal-polyfill'

/** How a language says when something is due; alternatives are separated by `|`, months and weekdays by blanks. */
export type DayWords = {
  /** Monday to Sunday */
  weekdays: string
  months: string
  today: string
  tomorrow: string
  afterTomorrow: string
  /** "next week", "this week", the end of a week, of a month */
  nextWeek: string
  thisWeek: string
  endOfWeek: string
  endOfNextWeek: string
  endOfMonth: string
  /** one to twelve */
  numbers: string
  /** "in two weeks": what comes before the number, and the units */
  within: string
  days: string
  weeks: string
  months_: string
  /** what stands before a day, and belongs to it: "by", "until" */
  before: string
  /** whether 4/12 is the fourth of the twelfth */
  isDayFirst: boolean
  /** ordinals of days: "the second" */
  ordinals?: string
}

/** A day in a sentence, with where its words begin and end. */
export type FoundDay = { day: string; from: number; to: number }

type Rule = {
  words: RegExp
  day(found: RegExpExecArray, from: Temporal.PlainDate): Temporal.PlainDate | undefined
}

/**
 * A function that finds the last day that a sentence names, absolute or counted from a day such as that of the meeting.
 * Weekdays are the next ones, "next week" its Friday.
 */
export function dayFinder(words: DayWords): (text: string, from: string) => FoundDay | undefined {
  const rules = rulesOf(words)
  return (text, from) => {
    const start = Temporal.PlainDate.from(from)
    const found: FoundDay[] = []
    for (const { words: pattern, day } of rules) {
      for (const hit of text.matchAll(pattern)) {
        const [begins, ends] = [hit.index, hit.index + hit[0].length]
        const due = day(hit, start)
        if (due && !found.some(({ to, from: begun }) => begins < to && ends > begun))
          found.push({ day: due.toString(), from: begins, to: ends })
      }
    }
    return found.toSorted((a, b) => a.from - b.from).at(-1)
  }
}

function rulesOf(of: DayWords): Rule[] {
  const weekdays = of.weekdays.split(' ')
  const months = of.months.split(' ')
  const numbers = of.numbers.split(' ')
  const anyMonth = months.map((month) => month.replaceAll('/', '|')).join('|')
  const anyNumber = `\\d{1,3}|${numbers.join('|').replaceAll('/', '|')}`
  const said = (inner: string) =>
    new RegExp(
      `(?<![\\p{L}\\p{N}])(?:(?:${of.before})[ ]+){0,3}(?:${inner})(?![\\p{L}\\p{N}])`,
      'giu',
    )
  const at = (list: string[], word: string) =>
    list.findIndex((each) =>
      each.split('/').some((form) => form.toLowerCase() === word.toLowerCase()),
    )
  const count = (word: string) => (/^\d/.test(word) ? Number(word) : at(numbers, word) + 1)
  const weekday = (word: string, from: Temporal.PlainDate) => {
    const ahead = at(weekdays, word) + 1 - from.dayOfWeek
    return from.add({ days: ahead > 0 ? ahead : ahead + 7 })
  }
  const friday = (from: Temporal.PlainDate) => from.add({ days: Math.max(5 - from.dayOfWeek, 0) })
  const ordinal = `(\\d{1,2})(?:st|nd|rd|th|er|ro|º|ª|e|de|ste|\\.)?`
  const weekdayForms = weekdays.map((each) => each.replaceAll('/', '|')).join('|')
  return [
    {
      words: said(String.raw`(\d{4})-(\d\d)-(\d\d)`),
      day: (f) => dayOf(Number(f[1]), Number(f[2]), Number(f[3])),
    },
    {
      words: said(
        `(?:(?:${weekdayForms}),?[ ]+(?:(?:${of.before})[ ]+)?)?${ordinal}[ ]+(?:(?:of|de|del|do|da)[ ]+)?(${anyMonth})\\.?(?:[ ]+(?:de[ ]+)?(\\d{4}))?`,
      ),
      day: (f, from) => inMonth(from, at(months, f[2] ?? '') + 1, Number(f[1]), f[3]),
    },
    {
      words: said(
        `(?:(?:${weekdayForms}),?[ ]+)?(${anyMonth})\\.?[ ]+(?:the[ ]+)?${ordinal}(?:,?[ ]+(\\d{4}))?`,
      ),
      day: (f, from) => inMonth(from, at(months, f[1] ?? '') + 1, Number(f[2]), f[3]),
    },
    {
      words: said(String.raw`(\d{1,2})([./])(\d{1,2})(?:[./](\d{4}|\d{2})?)?`),
      day(f, from) {
        const [a, b] = [Number(f[1]), Number(f[3])]
        const [day, month] = of.isDayFirst || f[2] === '.' || a > 12 ? [a, b] : [b, a]
        return inMonth(from, month, day, f[4]?.length === 4 ? f[4] : undefined)
      },
    },
    { words: said(of.endOfNextWeek), day: (_, from) => friday(from).add({ days: 7 }) },
    { words: said(of.endOfMonth), day: (_, from) => from.with({ day: from.daysInMonth }) },
    {
      words: said(
        `(?:${of.nextWeek})[ ]+(?:(?:${of.before})[ ]+)?(${weekdayForms})|(${weekdayForms})(?:[ ]+(?:${of.before}))?[ ]+(?:${of.nextWeek})`,
      ),
      day: (f, from) => from.add({ days: 8 - from.dayOfWeek + at(weekdays, f[1] ?? f[2] ?? '') }),
    },
    { words: said(of.nextWeek), day: (_, from) => friday(from).add({ days: 7 }) },
    { words: said(of.endOfWeek), day: (_, from) => friday(from) },
    { words: said(of.afterTomorrow), day: (_, from) => from.add({ days: 2 }) },
    { words: said(of.tomorrow), day: (_, from) => from.add({ days: 1 }) },
    { words: said(of.today), day: (_, from) => from },
    {
      words: said(
        `(?:${of.within})[ ]+(${anyNumber})[ ]+(?:(${of.days})|(${of.weeks})|(${of.months_}))`,
      ),
      day(f, from) {
        const many = count(f[1] ?? '')
        return from.add(f[2] ? { days: many } : f[3] ? { weeks: many } : { months: many })
      },
    },
    { words: said(`(${weekdayForms})`), day: (f, from) => weekday(f[1] ?? '', from) },
    { words: said(of.thisWeek), day: (_, from) => friday(from) },
    ...(of.ordinals
      ? [
          {
            words: said(of.ordinals),
            day(f: RegExpExecArray, from: Temporal.PlainDate) {
              const day = f.slice(1).findIndex((group) => group !== undefined) + 1
              const number = Number(/\d+/.exec(f[0])?.[0] ?? day)
              if (number < 1 || number > 31) return undefined
              const here = from.add({ months: number > from.day ? 0 : 1 })
              return number > here.daysInMonth ? undefined : here.with({ day: number })
            },
          },
        ]
      : []),
  ]
}

/** The next such day: of this year, or of the next one where it has passed by more than two months. */
function inMonth(from: Temporal.PlainDate, month: number, day: number, year?: string) {
  if (year) return dayOf(Number(year), month, day)
  const here = dayOf(from.year, month, day)
  if (!here) return undefined
  return Temporal.PlainDate.compare(here, from.subtract({ months: 2 })) < 0
    ? dayOf(from.year + 1, month, day)
    : here
}

function dayOf(year: number, month: number, day: number): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
  } catch {
    return undefined
  }
}
