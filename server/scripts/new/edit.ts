import { existsSync, globSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { wordOf } from '../../src/kit/record/record.ts'
import { records } from '../../src/model/all.ts'

const migrations = 'server/src/database/migrations'

/** The files that were written. */
export const written = new Set<string>()

/** Writes a new file; an error where it is there already. */
export function create(file: string, text: string): void {
  if (existsSync(file)) throw new Error(`${file} is there already`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  written.add(file)
}

/** Writes a migration with the next number. */
export function createMigration(name: string, text: string): void {
  const last = readdirSync(migrations).toSorted().at(-1)?.slice(0, 4) ?? '0'
  create(`${migrations}/${String(Number(last) + 1).padStart(4, '0')}_${name}.sql`, text)
}

/** Changes a file by a function of its text; an error where that finds nothing to change. */
export function change(file: string, edit: (text: string) => string): void {
  const before = readFileSync(file, 'utf8')
  const after = edit(before)
  if (after === before) throw new Error(`${file} has no place for it: write it by hand`)
  writeFileSync(file, after)
  written.add(file)
}

/** The text with lines before the first line that matches. */
export function before(text: string, line: RegExp, added: string): string {
  return text.replace(new RegExp(`^${line.source}`, 'm'), (found) => added + found)
}

/** The text with lines after the last line that matches. */
export function after(text: string, line: RegExp, added: string): string {
  const found = [...text.matchAll(new RegExp(`^${line.source}.*\\n`, 'gm'))].at(-1)
  if (!found) return text
  const end = found.index + found[0].length
  return text.slice(0, end) + added + text.slice(end)
}

/** The text that imports a name from a file of the project, in the list of that file where there is one. */
export function importing(text: string, name: string, from: string): string {
  const path = from.replaceAll('.', '\\.')
  const list = new RegExp(`import \\{([^}]*)\\} from '${path}'`)
  const known = list.exec(text)?.[1]
  if (known?.split(/[\s,]+/).includes(name)) return text
  if (known === undefined)
    return after(text, /(import .*|\}) from '/, `import { ${name} } from '${from}'\n`)
  const names = [...known.split(/[\s,]+/).filter(Boolean), name].toSorted()
  const line = `import { ${names.join(', ')} } from '${from}'`
  const lines = `import {\n${names.map((each) => `  ${each},\n`).join('')}} from '${from}'`
  return text.replace(list, line.length > 100 ? lines : line)
}

/** A record by its module or word: the file that declares it, its name there, and its table. */
export function recordNamed(word: string): {
  file: string
  name: string
  table: string
  word: string
} {
  const found =
    records.find((each) => each.word === word) ??
    records.find((each) => wordOf(each) === word || each.module === word)
  for (const file of found ? globSync('server/src/model/**/*.ts') : []) {
    const text = readFileSync(file, 'utf8')
    for (const [, name = '', declared = ''] of text.matchAll(
      /^export const (\w+)(?:: \w+)? = record\(\n([^]*?)^ {2}\},$/gm,
    )) {
      if (found && new RegExp(`^ {4}word: '${found.word}'`, 'm').test(declared))
        return { file, name, table: found.table, word: found.word }
    }
  }
  throw new Error(`no record ${word}: name one by its module or its word`)
}

/** `archive_task` as `archiveTask`. */
export function camel(word: string): string {
  return word.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** `archive_task` as `ArchiveTask`. */
export function pascal(word: string): string {
  return camel(`_${word}`)
}

/** `archive_task` as `Archive task`. */
export function sentence(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ')
}

/** The words of a command, each lower case with underscores. */
export function checked(words: string[], least: number): string[] {
  if (words.length < least) throw new Error('words are missing')
  const wrong = words
    .slice(0, least)
    .find((word) => !/^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/.test(word))
  if (wrong !== undefined)
    throw new Error(`${wrong} must be lower case, with underscores between words`)
  return words
}
