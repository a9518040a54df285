import { computation } from '../../../kit/ground/computation.ts'

/** Something said: `at` in seconds from the start, where the transcript has times. */
export type Said = { at: number | null; speaker: string | null; text: string }

/** Where transcripts come from, as far as their layout shows it. */
export const transcriptFormats = ['vtt', 'srt', 'zoom', 'teams', 'meet', 'fathom', 'text'] as const
export type TranscriptFormat = (typeof transcriptFormats)[number]

export type Transcript = { format: TranscriptFormat; lines: Said[] }

/**
 * Reads a transcript: WebVTT and SRT, the texts that Zoom, Teams, Meet and Fathom export or show to be copied, and plain
 * `Name: text`. Times are counted from the first one where they are those of a clock. Pieces of one speaker in a row are
 * joined to about three sentences. No line where nothing is said.
 */
export function parseTranscript(content: string): Transcript {
  const text = content.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  if (/^WEBVTT\b/.test(text)) return { format: 'vtt', lines: joined(cues(text)) }
  if (/^\s*\d+\n\d{1,2}:\d\d:\d\d[,.]\d{1,3}\s*-->/.test(text))
    return { format: 'srt', lines: joined(cues(text)) }
  const rows = text.split('\n').map((row) => row.trim())
  for (const { format, read, least } of layouts) {
    const lines = read(rows)
    const spoken = lines.filter(({ speaker }) => speaker !== null).length
    if (lines.length && spoken >= least) return { format, lines: joined(fromStart(lines)) }
  }
  const lines = rows.map((row) => named(row)).filter((line) => line.text)
  return { format: 'text', lines: joined(lines) }
}

/** Seconds of a time such as `1:02:03.5`, `02:03` or `00:02:03,500`. */
function seconds(time: string): number {
  const parts = time.replace(',', '.').split(':').map(Number)
  return Math.floor(parts.reduce((sum, part) => sum * 60 + part, 0))
}

const arrow = /^(\d{1,2}(?::\d{1,2}){1,2}(?:[.,]\d{1,3})?)\s*-->/

/** The cues of WebVTT and SRT; Teams names speakers in `<v Name>`, Zoom and others before a colon. */
function cues(text: string): Said[] {
  const lines: Said[] = []
  for (const block of text.split(/\n[ \t]*\n/)) {
    const rows = block.split('\n').map((row) => row.trim())
    const timed = rows.findIndex((row) => arrow.test(row))
    const at = arrow.exec(rows[timed] ?? '')?.[1]
    if (at === undefined) continue
    let speaker: string | null = null
    for (const row of rows.slice(timed + 1)) {
      const voice = /^<v(?:\.[^ >]*)?\s+([^>]{1,120})>/.exec(row)
      const plain = unescaped(row.replaceAll(/<[^<>]{0,200}>/g, ''))
      const line = voice ? { speaker: unescaped(voice[1] ?? ''), text: plain } : named(plain)
      speaker = line.speaker ?? speaker
      if (line.text) lines.push({ at: seconds(at), speaker, text: line.text })
    }
  }
  return lines
}

const entities: { [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  quot: '"',
  '#39': "'",
}

function unescaped(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|nbsp|quot|#39);/g, (_, name: string) => entities[name] ?? '')
}

const name = String.raw`\p{L}[\p{L}\p{M}\p{N}'’., ()|&-]{0,79}?`
const before = new RegExp(`^(${name}):\\s+(.*)$`, 'u')

/** A line with a name before a colon. */
function named(row: string): Said {
  const [, speaker, text] = before.exec(row) ?? []
  // more words than a name has are a sentence
  if (speaker === undefined || speaker.split(' ').length > 5) {
    return { at: null, speaker: null, text: row }
  }
  return { at: null, speaker: speaker.trim(), text: text ?? '' }
}

const clock = String.raw`(\d{1,2}:\d\d(?::\d\d)?)`
type Layout = { format: TranscriptFormat; least: number; read(rows: string[]): Said[] }

/** Each reads rows until one of its own heads, and what follows is said by whom the head names. */
const layouts: Layout[] = [
  // "0:14 - Ada Lind (Northwind)", then the text
  headed('fathom', new RegExp(`^@?${clock}\\s+-\\s+(${name})$`, 'u'), ([, at, who]) => [at, who]),
  // "[Ada Lind] 10:01:23", then the text; or all in one row
  headed(
    'zoom',
    new RegExp(`^\\[([^\\]]{1,80})\\]\\s+${clock}(?:\\s+(.*))?$`, 'u'),
    ([, who, at, text]) => [at, who, text],
  ),
  // "10:01:23 Ada Lind: text"
  headed('zoom', new RegExp(`^\\[?${clock}\\]?\\s+(${name}):\\s+(.*)$`, 'u'), (found) => [
    found[1],
    found[2],
    found[3],
  ]),
  // "Ada Lind   0:03", then the text
  headed('teams', new RegExp(`^\\**(${name})\\**\\s{1,8}${clock}$`, 'u'), ([, who, at]) => [
    at,
    who,
  ]),
  { format: 'teams', least: 2, read: spans },
  { format: 'meet', least: 2, read: marked },
]

function headed(
  format: TranscriptFormat,
  head: RegExp,
  parts: (found: RegExpExecArray) => (string | undefined)[],
): Layout {
  const read = (rows: string[]) => {
    const lines: Said[] = []
    let now: { at: number; speaker: string } | undefined
    for (const row of rows) {
      const found = head.exec(row)
      if (found) {
        const [at = '0', who = '', text] = parts(found)
        now = { at: seconds(at), speaker: speakerOf(who) }
        if (text) lines.push({ ...now, text })
      } else if (now && row && !isRemark(row)) lines.push({ ...now, text: row })
    }
    return lines
  }
  return { format, least: 2, read }
}

/** "0:0:3.240 --> 0:0:5.100", the name, the text: what Teams writes into its documents. */
function spans(rows: string[]): Said[] {
  const lines: Said[] = []
  let now: { at: number; speaker: string | null } | undefined
  for (const row of rows) {
    const at = arrow.exec(row)?.[1]
    if (at !== undefined) now = { at: seconds(at), speaker: null }
    else if (now && row) {
      if (now.speaker === null) now.speaker = speakerOf(row)
      else lines.push({ at: now.at, speaker: now.speaker, text: row })
    }
  }
  return lines
}

/** Times in rows of their own, and `Name: text` between them: documents of Meet. */
function marked(rows: string[]): Said[] {
  const times = rows.filter((row) => /^\d{1,2}:\d\d:\d\d$/.test(row))
  if (!times.length) return []
  const lines: Said[] = []
  let at: number | null = null
  for (const row of rows) {
    if (/^\d{1,2}:\d\d:\d\d$/.test(row)) at = seconds(row)
    else if (row && at !== null) lines.push({ ...named(row), at })
  }
  return lines.filter(({ text }) => text)
}

/** Fathom adds the firm in brackets. */
function speakerOf(who: string): string {
  return who.replace(/\s*\([^)]*\)\s*$/, '').trim()
}

/** What a tool writes between: links to the recording, its own action items. */
function isRemark(row: string): boolean {
  return /^(?:ACTION ITEM|SCREEN SHARING|VIEW RECORDING|HIGHLIGHT)\b|^https?:|^-{3,}$/.test(row)
}

/** Times of a clock, such as 10:01:23, as seconds from the first one. */
function fromStart(lines: Said[]): Said[] {
  const first = lines.find(({ at }) => at !== null)?.at ?? 0
  if (first < 3600) return lines
  return lines.map((line) => ({
    ...line,
    at: line.at === null ? null : Math.max(line.at - first, 0),
  }))
}

/** Characters after which a new line begins at the next sentence. */
const longEnough = 180
const longest = 1000

/** Pieces of one speaker in a row as one line, of about three sentences. */
function joined(lines: Said[]): Said[] {
  const all: Said[] = []
  for (const { at, speaker, text } of lines) {
    const last = all.at(-1)
    const words = text.replaceAll(/\s+/g, ' ').trim()
    if (!words) continue
    const isOpen =
      last &&
      last.speaker === speaker &&
      speaker !== null &&
      last.text.length + words.length < longest &&
      (last.text.length < longEnough || !/[.!?…]$/.test(last.text))
    if (isOpen) last.text += ` ${words}`
    else all.push({ at, speaker, text: words })
  }
  return all
}

export const parsing = computation(import.meta.url, parseTranscript)
