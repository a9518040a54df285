import { isDeepStrictEqual } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestOrganization, TestService } from '../support/service.ts'
import type { Sheet } from './sheet.ts'
import { workbookOf } from './workbook.ts'

/** What became of a spreadsheet's lines: counted by how it ended for whoever sent it. */
export type Result = {
  right: number
  reported: number
  wrong: string[]
  lost: string[]
}

const lists: { [module: string]: string } = {
  companies: '/api/company/?page=1&items_per_page=500',
  contacts: '/api/contact/?page=1&items_per_page=500',
  accounts: '/api/account/info/?page=1&items_per_page=500',
  deals: '/api/project/info/?page=1&items_per_page=500&project_type=deal',
  projects: '/api/project/info/?page=1&items_per_page=500&project_type=project',
  tasks: '/api/tasks/?page=1&items_per_page=500',
  meetings: '/api/calendar/info/?page=1&items_per_page=500',
  tags: '/api/tags/info/?page=1&items_per_page=500',
  holidays: '/api/holidays/holinfo/?page=1&items_per_page=500',
}

type Row = { [field: string]: any }
type Reported = { line: number; phase: string; reason: string; errors: Row[] }

/**
 * Sends a spreadsheet as its sender would, starts it, and compares every line with what must have become
 * of it: the record to its last cell, or a report with line, column and reason.
 */
export async function bring(
  service: TestService,
  org: TestOrganization,
  sheet: Sheet,
): Promise<Result> {
  const { token } = org.users.admin
  const filled = (text: string) => text.replaceAll('{member}', org.users.member.email)
  const get = async (path: string) => (await service.call('GET', path, { token })).body
  const form = new FormData()
  form.set('module', sheet.module)
  for (const [name, value] of Object.entries({ ...sheet.more, start: true })) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  form.set('file', new Blob([bytesOf(sheet, filled) as any]), sheet.xlsx ? 'list.xlsx' : 'list.csv')
  const reply = await fetch(`${service.url}/api/imports/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const lines = [...Object.keys(sheet.rows), ...Object.keys(sheet.lost ?? {})].map(Number)
  const made = (await reply.json()) as Row
  // a file that is refused as a whole says so for each of its lines
  if (reply.status !== 201) return { right: 0, reported: lines.length, wrong: [], lost: [] }
  let done: Row
  do {
    await sleep(10)
    done = await get(`/api/imports/${made.import_id}/`)
  } while (done.status === 'running')
  const errors = (await get(
    `/api/imports/${made.import_id}/errors/?items_per_page=500`,
  )) as Reported[]
  const records = await recordsOf(sheet.module, get)
  const result: Result = { right: 0, reported: 0, wrong: [], lost: [] }
  for (const line of lines) {
    const its = errors.filter((each) => each.line === line)
    const expected = sheet.rows[line]
    const found = expected && recordOf(records, expected)
    const problem = expected
      ? found
        ? differs(found, expected, records, filled)
        : undefined
      : 'was to be reported, and not imported'
    const missing = unreported(sheet, line, its)
    if (expected && found && !problem && !missing) result.right++
    else if (
      !expected &&
      its.some(({ phase, reason }) => phase !== 'cell' && sheet.lost![line]!.test(reason))
    ) {
      result.right++
    } else if (!found && its.some(({ phase }) => phase === 'import' || phase === 'skipped')) {
      result.reported++
    } else if (found && (problem || missing)) {
      result.wrong.push(`${sheet.name}, line ${line}: ${problem ?? missing}`)
    } else {
      const said = JSON.stringify([done.error, done.warnings, errors])
      result.lost.push(
        `${sheet.name}, line ${line}: neither in nor reported; ${said.slice(0, 600)}`,
      )
    }
  }
  const extra = records.length - new Set(Object.values(sheet.rows).map((row) => keyOf(row))).size
  if (extra > 0) result.wrong.push(`${sheet.name}: ${extra} records that no line asks for`)
  return result
}

async function recordsOf(module: string, get: (path: string) => Promise<any>): Promise<Row[]> {
  const path = lists[module]
  if (path) return (await get(path)) as Row[]
  const [project] = (await get(lists.projects!)) as Row[]
  return (await get(
    `/api/project/info/${project!.project_id}/milestones/?page=1&items_per_page=500`,
  )) as Row[]
}

/** By its first field, which is its name; sets of holidays by their country. */
function recordOf(records: Row[], expected: Row): Row | undefined {
  const [name, value] = Object.entries(expected)[0]!
  return records.find((each) => each[name] === value)
}

function keyOf(expected: Row): string {
  return JSON.stringify(Object.entries(expected)[0])
}

/** The first field that is not as it must be. */
function differs(
  found: Row,
  expected: Row,
  records: Row[],
  filled: (text: string) => string,
): string | undefined {
  for (const [path, value] of Object.entries(expected)) {
    const is = path.split('.').reduce((at: any, part) => at?.[part], found) ?? null
    let must: unknown = typeof value === 'string' ? filled(value) : value
    const named = /^\{id of (.*)\}$/.exec(String(value))?.[1]
    if (named) must = records.find(({ company_name }) => company_name === named)?.company_id
    if (!isDeepStrictEqual(is, must)) {
      return `${path} is ${JSON.stringify(is)} and must be ${JSON.stringify(must)}`
    }
  }
  return undefined
}

/** A cell that was to be reported with its column and reason, and was not. */
function unreported(sheet: Sheet, line: number, its: Reported[]): string | undefined {
  const said = its.flatMap(({ errors }) => errors)
  for (const [column, reason] of Object.entries(sheet.cells?.[line] ?? {})) {
    if (!said.some((each) => each.column === column && reason.test(each.message))) {
      return `${column} is not reported: ${JSON.stringify(said)}`
    }
  }
  const expected = Object.keys(sheet.cells?.[line] ?? {})
  const more = its.filter(({ phase }) => phase === 'cell').flatMap(({ errors }) => errors)
  const other = more.find(({ column }) => !expected.includes(column))
  return other && `${other.column} is reported: ${other.message}`
}

function bytesOf(sheet: Sheet, filled: (text: string) => string): Buffer {
  if (sheet.xlsx) {
    const rows = sheet.xlsx.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? filled(cell) : cell)),
    )
    return workbookOf(rows)
  }
  const text = filled(sheet.text ?? '').replaceAll('\n', sheet.ends ?? '\n')
  switch (sheet.encoding) {
    case 'utf-8-bom':
      return Buffer.from(`\ufeff${text}`)
    case 'utf-16le':
      return Buffer.from(text, 'utf16le')
    case 'utf-16le-bom':
      return Buffer.from(`\ufeff${text}`, 'utf16le')
    case 'utf-16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
    case 'windows-1252':
      return Buffer.from(
        Array.from(text, (character) => windows[character] ?? character.charCodeAt(0)),
      )
    default:
      return Buffer.from(text)
  }
}

/** What Windows-1252 has between 0x80 and 0x9f, as far as the sheets use it. */
const windows: { [character: string]: number } = { '€': 0x80, '’': 0x92, '–': 0x96, œ: 0x9c }
