import { subscribe } from 'node:diagnostics_channel'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { SentStatement } from '../../src/database/queries.ts'
import { allOrganizations } from '../../src/kit/ground/context.ts'
import { exceptions } from './statement-exceptions.ts'
import { judge } from './statement-rules.ts'

/** A statement that tests sent, and the file of the service that made it. */
export type Gathered = { text: string; place: string; isForAll: boolean }

/**
 * Gathers the statements that the service sends in this process and writes them, each once, into a
 * file of the folder when the process ends. Statements of tests themselves are left out.
 */
export function gatherStatements(folder: string) {
  const seen = new Map<string, Gathered>()
  // most are sent again to the letter: their shape is not looked for each time
  const texts = { all: new Set<string>(), one: new Set<string>() }
  subscribe('perennial:statement', (message) => {
    const { organization, text } = message as SentStatement
    const isForAll = organization === allOrganizations
    const known = isForAll ? texts.all : texts.one
    if (known.has(text)) return
    known.add(text)
    const key = `${isForAll} ${sameShape(text)}`
    if (seen.has(key)) return
    const place = placeOf()
    seen.set(key, { text, isForAll, place })
  })
  process.on('exit', () => {
    const gathered = [...seen.values()].filter(
      ({ place }) => place.startsWith('server/src/') && !place.endsWith('.test.ts'),
    )
    writeFileSync(join(folder, `statements-${process.pid}.json`), JSON.stringify(gathered))
  })
}

/** Statements that differ in their parameters and in the length of their lists alone are one. */
function sameShape(text: string): string {
  return text.replaceAll(/\$\d+/g, '$').replaceAll(/\$(\s*,\s*\$)+/g, '$')
}

const root = resolve(import.meta.dirname, '../../..')

/** What carries statements to the database: the caller above is the place of one. */
const below =
  /^server\/src\/(kit\/ground\/|database\/(queries|connect|transaction|lanes|reader|client|(read|write)-lane)\.ts$)/

/** The file that called for the statement, as far up as the stack is known. */
function placeOf(): string {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 30
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = before
  const files = [...stack.matchAll(/(?:file:\/\/)?(\/[^\s():]+\.ts):\d+/g)]
    .map(([, path]) => relative(root, path!))
    .filter((path) => !path.startsWith('..'))
  const own = import.meta.filename.slice(root.length + 1)
  return files.find((path) => path !== own && !below.test(path)) ?? ''
}

/**
 * Judges all statements that the processes of a run have gathered in a folder, and says what breaks
 * the rules without being excepted.
 */
export async function judgeGathered(folder: string): Promise<string[]> {
  const files = globSync(join(folder, 'statements-*.json'))
  const all = files.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')) as Gathered[])
  // most processes have sent the same
  const gathered = new Map(
    all.map((each) => [`${each.isForAll} ${each.place} ${sameShape(each.text)}`, each]),
  )
  const found = new Map<string, string>()
  for (const { text, place, isForAll } of gathered.values())
    for (const { rule, what } of await judge(text)) {
      const isExcepted =
        (isForAll || rule !== 'unbound') &&
        exceptions.some((each) => each.rule === rule && each.places.includes(place))
      if (!isExcepted) found.set(`${place}: ${words[rule]} ${what}`, text)
    }
  return [...found].map(([breach, text]) => `${breach}\n    ${text.slice(0, 20_000)}`)
}

const words = {
  unbound: 'no organization is named for',
  session: 'rests on a session, or on where a row lies:',
  values: 'the values of an insert',
}
