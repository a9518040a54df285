import type { BodyOf } from '../../api/client.ts'

type Body = BodyOf<'/api/documents/{id}/signature/batches/', 'post'>
/** Somebody to whom a document of their own is sent. */
export type Line = NonNullable<Body['lines']>[number]

/** What a pasted list or the text of a CSV file has: the lines, and the columns of which nothing is taken. */
export type Pasted = { lines: Line[]; unused: string[] }

/** The words of six languages for the two columns that every list has. */
const nameWords = ['name', 'full name', 'nom', 'nombre', 'nome', 'naam']
const emailWords = [
  'email',
  'e-mail',
  'mail',
  'e-mail-adresse',
  'email address',
  'e-mail address',
  'adresse e-mail',
  'courriel',
  'correo',
  'correo electrónico',
  'e-mailadres',
]

/**
 * The people of a pasted list or a CSV file, one a line: a name and an address in any order, `Ada <ada@…>`, or columns that the first
 * line names: name, e-mail, a role (`Buyer`, `Buyer name`, `Buyer e-mail`), or a placeholder (`account.account_name`).
 */
export function linesIn(text: string, roles: string[] = []): Pasted {
  const rows = rowsIn(text).filter((row) => row.some((cell) => cell !== ''))
  const [first = []] = rows
  const columns = first.map((cell) => columnOf(cell, roles))
  const hasHead =
    !first.some((cell) => cell.includes('@')) && columns.some((column) => column !== undefined)
  if (!hasHead) return { lines: rows.map(plainLine), unused: [] }
  return {
    lines: rows.slice(1).map((row) => lineOf(row, columns)),
    unused: first.filter((cell, at) => cell !== '' && columns[at] === undefined),
  }
}

type Column =
  | { kind: 'name' }
  | { kind: 'email' }
  | { kind: 'role'; role: string; part: 'name' | 'email' | 'both' }
  | { kind: 'account' }
  | { kind: 'project' }
  | { kind: 'value'; path: string }

/** What a column holds, by its name; undefined for one of which nothing is taken. */
function columnOf(cell: string, roles: string[]): Column | undefined {
  const word = cell.toLowerCase()
  if (nameWords.includes(word)) return { kind: 'name' }
  if (emailWords.includes(word)) return { kind: 'email' }
  if (word === 'account_id') return { kind: 'account' }
  if (word === 'project_id') return { kind: 'project' }
  for (const role of roles) {
    const its = role.toLowerCase()
    if (word === its) return { kind: 'role', role, part: 'both' }
    const rest = word.startsWith(`${its} `) ? word.slice(its.length + 1) : ''
    if (nameWords.includes(rest)) return { kind: 'role', role, part: 'name' }
    if (emailWords.includes(rest)) return { kind: 'role', role, part: 'email' }
  }
  const path = cell.replace(/^\{\{\s*|\s*\}\}$/g, '')
  const isPath = path === 'today' || /^[\w]+(\.[\w]+)+$/.test(path)
  return isPath ? { kind: 'value', path } : undefined
}

function lineOf(row: string[], columns: (Column | undefined)[]): Line {
  const line: Line = {}
  for (const [at, column] of columns.entries()) {
    const cell = row[at] ?? ''
    if (!column || cell === '') continue
    if (column.kind === 'name') line.name = cell
    else if (column.kind === 'email') Object.assign(line, addressOf(cell, line.name))
    else if (column.kind === 'account') line.account_id = cell
    else if (column.kind === 'project') line.project_id = cell
    else if (column.kind === 'value') line.values = { ...line.values, [column.path]: cell }
    else {
      const { role, part } = column
      const before = line.roles?.[role] ?? {}
      const given = part === 'both' ? personIn(cell) : { [part]: cell }
      line.roles = { ...line.roles, [role]: { ...before, ...given } }
    }
  }
  return line
}

/** A line without named columns: the cell with an address, and the first other one as the name. */
function plainLine(row: string[]): Line {
  const at = row.findIndex((cell) => cell.includes('@'))
  const name = row.find((cell, i) => i !== at && cell !== '')
  return at < 0 ? personIn(row.join(' ').trim()) : addressOf(row[at] ?? '', name)
}

function addressOf(cell: string, name: string | undefined): { name?: string; email: string } {
  const { name: own, email } = personIn(cell)
  return { ...((name ?? own) ? { name: name ?? own } : {}), email }
}

/** `Ada Byron <ada@example.com>`, or an address alone. */
function personIn(text: string): { name?: string; email: string } {
  const [, name = '', email] = /^(.*)<([^<>]*)>$/.exec(text) ?? []
  if (email === undefined) return { email: text }
  return { ...(name.trim() ? { name: name.trim() } : {}), email: email.trim() }
}

/** The cells of a text with tabs, semicolons or commas between them, and quotes around those that have some (RFC 4180). */
function rowsIn(text: string): string[][] {
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const end = () => {
    row.push(cell.trim())
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') {
        cell += sign
        at++
      } else isQuoted = false
    } else if (sign === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (sign === separator) end()
    else if (sign === '\n') {
      end()
      rows.push(row)
      row = []
    } else if (sign !== '\r' && sign !== '\uFEFF') cell += sign
  }
  end()
  return [...rows, row]
}

/** Tabs, as tables are pasted with, else semicolons where the first line has more of them, else commas. */
function separatorOf(text: string): string {
  const [line = ''] = text.trimStart().split('\n')
  const count = (sign: string) => line.split(sign).length
  if (line.includes('\t')) return '\t'
  return count(';') > count(',') ? ';' : ','
}
