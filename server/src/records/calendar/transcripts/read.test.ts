import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { spoken } from '../../../../test/support/spoken.ts'
import { languages } from '../../../model/languages/language.ts'
import type { TranscriptFormat } from './parse.ts'
import { parseTranscript } from './parse.ts'
import { readTranscript } from './read.ts'

type Expected = { about: string; owner: string | null; day: string }
type Made = {
  content: string
  people: string[]
  day: string
  expected: Expected[]
  decisions: number
}

const people = ['Ada Lind', 'Bruno Costa', 'Chiara Weiss', 'Dylan Park']

/** Numbers from 0 to 1 that follow from a seed. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** A transcript of a language in a layout: six assignments and two decisions among other talk. */
function make(
  language: (typeof languages)[number],
  layout: keyof typeof layouts,
  seed: number,
): Made {
  const roll = dice(seed)
  const of = spoken[language]
  const some = <T>(list: readonly T[]) => list[Math.floor(roll() * list.length)]!
  const shuffled = <T>(list: readonly T[]) =>
    list
      .map((each) => ({ each, at: roll() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ each }) => each)
  const day = `2027-03-${String(1 + Math.floor(roll() * 5)).padStart(2, '0')}`
  const expected: Expected[] = []
  const parts: { speaker: string; text: string }[][] = []
  for (const item of shuffled(of.items).slice(0, 6)) {
    const [speaker, other] = shuffled(people) as [string, string]
    const due = some(of.days)
    const says = item.says.replace('{d}', due.says).replace('{other}', other.split(' ')[0]!)
    const text = says.charAt(0).toUpperCase() + says.slice(1)
    const owner = { me: speaker, you: other, anyone: null }[item.who]
    expected.push({
      about: item.about,
      owner,
      day: due.day(new Date(day)).toISOString().slice(0, 10),
    })
    parts.push([
      { speaker, text },
      ...(item.who === 'you' ? [{ speaker: other, text: some(of.yes) }] : []),
    ])
  }
  for (const text of shuffled(of.decisions).slice(0, 2))
    parts.push([{ speaker: some(people), text }])
  for (const text of [...of.others, ...shuffled(of.others).slice(0, 8)])
    parts.push([{ speaker: some(people), text }])
  const lines = shuffled(parts)
    .flat()
    .map((line, n) => ({ ...line, at: 7 * n + 3 }))
  return { content: layouts[layout](lines), people, day, expected, decisions: 2 }
}

type Line = { speaker: string; text: string; at: number }
const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
const hours = (at: number) => `${two(at / 3600)}:${two((at / 60) % 60)}:${two(at % 60)}`
const short = (at: number) => `${Math.floor(at / 60)}:${two(at % 60)}`

const layouts = {
  vtt: (lines: Line[]) =>
    `WEBVTT\n\n${lines.map(({ speaker, text, at }, n) => `${n}-0\n${hours(at)}.120 --> ${hours(at + 6)}.400\n<v ${speaker}>${text}</v>`).join('\n\n')}\n`,
  zoomVtt: (lines: Line[]) =>
    `WEBVTT\r\n\r\n${lines.map(({ speaker, text, at }, n) => `${n + 1}\r\n${hours(at)}.120 --> ${hours(at + 6)}.400\r\n${speaker}: ${text}`).join('\r\n\r\n')}\r\n`,
  srt: (lines: Line[]) =>
    lines
      .map(
        ({ speaker, text, at }, n) =>
          `${n + 1}\n${hours(at)},120 --> ${hours(at + 6)},400\n${speaker}: ${text}\n`,
      )
      .join('\n'),
  zoom: (lines: Line[]) =>
    lines
      .map(({ speaker, text, at }) => `[${speaker}] ${hours(36_000 + at)}\n${text}\n`)
      .join('\n'),
  teams: (lines: Line[]) =>
    `Steering-20270301_100000-Meeting Recording\n\n${lines.map(({ speaker, text, at }) => `${speaker}   ${short(at)}\n${text}\n`).join('\n')}`,
  meet: (lines: Line[]) =>
    `Steering\nAttendees\n${people.join(', ')}\nTranscript\n${lines.map(({ speaker, text, at }, n) => `${n % 10 ? '' : `\n${hours(at)}\n`}${speaker}: ${text}`).join('\n')}`,
  fathom: (lines: Line[]) =>
    `Steering - March 1\nVIEW RECORDING - 52 mins (No highlights):\n\n---\n\n${lines.map(({ speaker, text, at }) => `${short(at)} - ${speaker} (Northwind)\n  ${text}\n`).join('\n')}`,
} satisfies { [layout: string]: (lines: Line[]) => string }

const formats: { [layout in keyof typeof layouts]: TranscriptFormat } = {
  vtt: 'vtt',
  zoomVtt: 'vtt',
  srt: 'srt',
  zoom: 'zoom',
  teams: 'teams',
  meet: 'meet',
  fathom: 'fathom',
}
const names = Object.keys(layouts) as (keyof typeof layouts)[]
const seed = (Number.parseInt(process.env.TEST_SEED ?? '1', 36) || 1) % 100_003

describe('what a transcript says without a model', () => {
  test('is read with a precision of at least 0.8 and a recall of at least 0.6, in thirty transcripts of six languages', (t) => {
    const sum = {
      found: 0,
      right: 0,
      expected: 0,
      met: 0,
      owners: 0,
      days: 0,
      decided: 0,
      decisions: 0,
    }
    for (const [l, language] of languages.entries()) {
      const own = { found: 0, right: 0, expected: 0, met: 0 }
      for (let n = 0; n < 5; n++) {
        const made = make(language, names[(l * 5 + n) % names.length]!, seed * 1000 + l * 50 + n)
        const { lines } = parseTranscript(made.content)
        const read = readTranscript({ ...made, lines, language: 'en' })
        assert.equal(read.language, language)
        const of = (about: string) => read.items.find(({ quote }) => quote.includes(about))
        const right = read.items.filter(({ quote }) =>
          made.expected.some(({ about }) => quote.includes(about)),
        )
        own.found += read.items.length
        own.right += right.length
        own.expected += made.expected.length
        for (const { about, owner, day } of made.expected) {
          const item = of(about)
          if (process.env.SHOW && !item)
            console.log('missed', language, lines.find(({ text }) => text.includes(about))?.text)
          if (!item) continue
          own.met++
          if (process.env.SHOW === '2')
            console.log(item.title, '|', item.owner, owner, item.due_date, day)
          if (item.owner === owner) sum.owners++
          else if (process.env.SHOW) console.log('owner', item.owner, owner, item.quote)
          if (item.due_date === day) sum.days++
          else if (process.env.SHOW) console.log('day', made.day, item.due_date, day, item.quote)
        }
        if (process.env.SHOW)
          for (const item of read.items)
            if (!right.includes(item)) console.log('wrong', language, item.quote)
        sum.decided += read.decisions.length
        sum.decisions += made.decisions
      }
      t.diagnostic(
        `${language}: precision ${own.right / own.found}, recall ${own.met / own.expected}`,
      )
      assert.ok(own.right / own.found >= 0.7, `${language}: ${own.right} of ${own.found} are right`)
      for (const key of ['found', 'right', 'expected', 'met'] as const) sum[key] += own[key]
    }
    const { found, right, expected, met, owners, days } = sum
    t.diagnostic(JSON.stringify({ ...sum, precision: right / found, recall: met / expected }))
    assert.ok(right / found >= 0.8, `${right} of ${found} are right`)
    assert.ok(met / expected >= 0.6, `${met} of ${expected} are found`)
    assert.ok(owners / met >= 0.8, `${owners} of ${met} have the right owner`)
    assert.ok(days / met >= 0.9, `${days} of ${met} have the right day`)
    assert.ok(sum.decided / sum.decisions >= 0.6 && sum.decided / sum.decisions <= 1.2)
  })

  test('is the same in every layout, with speakers and times', () => {
    for (const layout of names) {
      const made = make('en', layout, 7)
      const { format, lines } = parseTranscript(made.content)
      assert.equal(format, formats[layout], layout)
      assert.deepEqual([...new Set(lines.map(({ speaker }) => speaker))].toSorted(), people, layout)
      assert.ok(
        lines.every(({ at }) => at !== null && at < 600),
        layout,
      )
      assert.ok(Math.max(...lines.map(({ at }) => at ?? 0)) > 100, layout)
    }
  })
})
