import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package of the screens, and its build output. */
export const webFolder = fileURLToPath(new URL('../../../web', import.meta.url))
export const distFolder = join(webFolder, 'dist')

/** What screens and server share. */
export const shared = [
  '../server/src/kit/ground/fold.ts',
  '../server/src/kit/ground/html.ts',
  '../server/src/kit/ground/editor-blocks.ts',
  '../server/src/kit/ground/image-address.ts',
  '../server/src/model/dashboards/reports.ts',
  '../server/src/model/joining.ts',
  '../server/src/kit/ground/web-address.ts',
  '../server/src/model/documents/requests/conditions.ts',
  '../server/src/model/forms/answer-parts.ts',
  '../server/src/model/forms/form-parts.ts',
  '../server/src/model/forms/formula.ts',
  '../server/src/model/sheets/csv-text.ts',
  '../server/src/model/forms/piping.ts',
  '../server/src/model/forms/rules.ts',
  '../server/src/model/forms/translations.ts',
  '../server/src/schedule/health.ts',
  '../server/src/schedule/load.ts',
  '../server/src/schedule/move.ts',
  '../server/src/schedule/network.ts',
  '../server/src/schedule/plan.ts',
  '../server/src/schedule/workdays.ts',
]

/** The sources of the build; not the API document, which only provides types. */
const sources = [
  '../package-lock.json',
  'index.html',
  'vite.config.ts',
  'scripts/build.ts',
  'public/**',
  'src/**',
  ...shared,
]
const notBuilt = /\.test\.tsx?$|\.d\.ts$/

/** A hash of the sources, in hexadecimal; undefined if there are none, as in a package of built files. */
export function stampOfSources(folder = webFolder): string | undefined {
  if (!existsSync(join(folder, 'src'))) return undefined
  const files = globSync(sources, { cwd: folder })
    .filter((file) => !notBuilt.test(file) && statSync(join(folder, file)).isFile())
    .toSorted()
  const hash = createHash('sha256')
  for (const file of files) {
    const content = readFileSync(join(folder, file))
    hash.update(`${file.replaceAll('\\', '/')}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** The stamp of the build; undefined if there is none. */
export function stampOfBuilt(folder = distFolder): string | undefined {
  try {
    return readFileSync(join(folder, 'stamp'), 'utf8').trim()
  } catch {
    return undefined
  }
}
