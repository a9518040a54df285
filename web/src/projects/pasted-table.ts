import { foldedText } from '../../../server/src/kit/ground/fold.ts'
import type { Values } from '../data/change.ts'
import type { ProjectPlan } from '../data/project-plan.ts'
import { readDay } from './day-words.ts'
import { datesOf } from './new-values.ts'
import { linesOf } from './pasted.ts'
import type { Words } from './title-words.ts'
import type { Line } from './use-new-lines.ts'
import { inSentence, t } from '../locales/text.ts'

/** What a column of pasted text can be. */
export const kinds = [
  'title',
  'owner',
  'start',
  'due',
  'days',
  'status',
  'priority',
  'none',
] as const
export type Kind = (typeof kinds)[number]

/** What the columns are called; `none` is left out. */
export const kindLabels: { readonly [kind in Kind]: string } = {
  title: t('Title'),
  owner: t('Owner'),
  start: t('Start'),
  due: t('Due'),
  days: t('Days'),
  status: t('Status'),
  priority: t('Priority'),
  none: t('Leave out'),
}

/** A value that is none of what its column says, and what becomes of it. */
export type Fault = { row: number; column: number; text: string }

/** What a header may call the columns. */
const headers: { [kind in Kind]?: string[] } = {
  title: ['title', 'task', 'name', 'subject', 'task name'],
  owner: ['owner', 'assignee', 'assigned to', 'responsible', 'person'],
  start: ['start', 'start date', 'begin', 'from'],
  due: ['due', 'due date', 'end', 'end date', 'finish', 'deadline', 'until'],
  days: ['days', 'duration', 'working days'],
  status: ['status', 'state'],
  priority: ['priority'],
}

/** What the values of the columns are found in. */
export type Known = Words & { statuses: { value: string; label: string }[] }

/** Text of a spreadsheet as rows of cells: tabs between them, and quotes around those that hold tabs or line breaks. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  const cells = /(?:"((?:[^"]|"")*)"(?=\t|\r?\n|$)|([^\t\r\n]*))(\t|\r?\n|$)/y
  while (cells.lastIndex < text.length) {
    const [whole = '', quoted, plain = '', end = ''] = cells.exec(text) ?? []
    if (!whole) break
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== '\t' && cells.lastIndex < text.length) rows.push([])
  }
  return rows.filter((row) => row.some((cell) => cell.trim() !== ''))
}

/** What the columns of pasted rows are: by their header, or else by their values. */
export function kindsOf(rows: string[][], known: Known): { kinds: Kind[]; hasHeader: boolean } {
  const [first = []] = rows
  const width = Math.max(...rows.map(({ length }) => length))
  const named = Array.from({ length: width }, (_, at) => kindNamed(first[at] ?? ''))
  const hasHeader = named.includes('title') && named.filter(Boolean).length > 1
  if (hasHeader) return { kinds: named.map((kind) => kind ?? 'none'), hasHeader }
  const found: Kind[] = []
  for (let at = 0; at < width; at++) {
    const values = rows.map((row) => row[at]?.trim() ?? '').filter(Boolean)
    const kind = kinds.find(
      (each) =>
        each !== 'title' &&
        each !== 'none' &&
        !found.includes(each) &&
        values.length > 0 &&
        values.every((value) => readCell(each, value, known) !== undefined),
    )
    found.push(kind ?? (found.includes('title') ? 'none' : 'title'))
  }
  return { kinds: onlyDue(found), hasHeader: false }
}

/** A single day is the due day. */
function onlyDue(found: Kind[]): Kind[] {
  return found.includes('due') ? found : found.map((kind) => (kind === 'start' ? 'due' : kind))
}

function kindNamed(text: string): Kind | undefined {
  const folded = foldedText(text.trim())
  return kinds.find(
    (kind) => headers[kind]?.includes(folded) || foldedText(kindLabels[kind]) === folded,
  )
}

/** A value in the form in which it is sent; undefined where it is none. */
function readCell(kind: Kind, text: string, known: Known) {
  switch (kind) {
    case 'owner':
      return known.people.find(({ full_name }) => foldedText(full_name) === foldedText(text))
    case 'start':
    case 'due':
      return readDay(text, known.almanac) ?? undefined
    case 'days':
      return /^\d{1,3}\s*(d|days?)?$/i.test(text) && Number.parseInt(text) > 0
        ? Number.parseInt(text)
        : undefined
    case 'status':
      return labelled(known.statuses, text)
    case 'priority':
      return labelled(known.priorities, text)
    default:
      return text
  }
}

function labelled(options: { value: string; label: string }[], text: string) {
  return options.find(({ label }) => foldedText(label) === foldedText(text))
}

/**
 * Pasted rows as lines with their depths, and what is no value of its column: a person or choice is left empty, and a
 * day is kept in the description. `begin` is where days begin that have no date.
 */
export function linesIn(
  rows: string[][],
  columns: Kind[],
  known: Known,
  { plan, begin }: { plan: Pick<ProjectPlan, 'calendar'>; begin: string },
): { lines: (Line & { depth: number })[]; faults: Fault[] } {
  const faults: Fault[] = []
  const titles = columns.indexOf('title')
  const depths = linesOf(rows.map((row) => oneLine(row[titles] ?? '') || '–').join('\n'))
  const lines = depths.map(({ title, depth }, at) => {
    const found: { [kind in Kind]?: ReturnType<typeof readCell> } = {}
    const notes: string[] = []
    for (const [column, kind] of columns.entries()) {
      const text = rows[at]?.[column]?.trim() ?? ''
      if (!text || kind === 'title' || kind === 'none') continue
      const value = readCell(kind, text, known)
      if (value === undefined) {
        faults.push({ row: at, column, text })
        if (kind === 'start' || kind === 'due') {
          notes.push(`${inSentence(kindLabels[kind])}: ${text}`)
        }
      } else found[kind] = value
    }
    return { title, depth, more: moreOf(found, notes, plan, begin) }
  })
  return { lines, faults }
}

function moreOf(
  found: { [kind in Kind]?: ReturnType<typeof readCell> },
  notes: string[],
  plan: Pick<ProjectPlan, 'calendar'>,
  begin: string,
): { sent: Values; shown: Values } {
  const { owner, status, priority } = found
  const [start, due] = [found.start, found.due].map((day) =>
    typeof day === 'string' ? day : undefined,
  )
  const days = typeof found.days === 'number' && !(start && due) ? found.days : undefined
  const dates = {
    ...datesOf({ due: start ? undefined : due, days }, plan, start ?? begin),
    ...(start ? { start_date: start } : {}),
    ...(due ? { due_date: due } : {}),
  }
  const valueOf = (option: typeof status) =>
    typeof option === 'object' && 'value' in option ? option.value : undefined
  const person = typeof owner === 'object' && 'user_id' in owner ? owner : undefined
  const [state, level] = [valueOf(status), valueOf(priority)]
  return {
    sent: {
      ...dates,
      ...(person ? { owner: person.user_id } : {}),
      ...(state ? { status: state } : {}),
      ...(level ? { priority: level } : {}),
      ...(notes.length ? { description: notes.join('\n') } : {}),
    },
    shown: { ...dates, ...(person ? { owner: person } : {}), ...(level ? { priority } : {}) },
  }
}

/** The indentation of a title stays; a line break within it is a space. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*\r?\n\s*/g, ' ').trimEnd()
}
