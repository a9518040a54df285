import { spawnSync } from 'node:child_process'
import { written } from './new/edit.ts'
import { event } from './new/event.ts'
import { field } from './new/field.ts'
import { job } from './new/job.ts'
import { operation } from './new/operation.ts'
import { record } from './new/record.ts'

/**
 * Writes the files of something new, as CONTRIBUTING says: `npm run new record bookmarks bookmark`. It works in the
 * folder where it runs, prints each file that it wrote, and what is left for people to decide.
 */
const kinds: { [kind: string]: { usage: string; write(words: string[]): string[] } } = {
  field,
  record,
  operation,
  event,
  job,
}

const [kind = '', ...words] = process.argv.slice(2)
const chosen = kinds[kind]
try {
  if (!chosen) throw new Error('name what is new')
  const left = chosen.write(words)
  const files = [...written].toSorted()
  const { status } = spawnSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', ...files], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('they cannot be formatted')
  for (const file of files) console.log(`wrote ${file}`)
  for (const line of left) console.log(`left: ${line}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  for (const { usage } of chosen ? [chosen] : Object.values(kinds))
    console.error(`npm run new ${usage}`)
  process.exitCode = 1
}
