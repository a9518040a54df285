import { basename, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shellWord } from '../kit/ground/shell.ts'

/** The command line for a command of ours: through npm if npm started this process, in the same folder. */
export function commandLine(dataDir: string): (command: string) => string {
  const isNpm = process.env.npm_lifecycle_event !== undefined
  const isUsual = resolve(dataDir) === resolve('data')
  const folder = isUsual ? '' : ` --data-dir ${shellWord(resolve(dataDir))}`
  // the `node` of the operator's shell may be an older one
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const isInstalled = basename(process.argv[1] ?? '') === 'perennial'
  const program = isInstalled
    ? 'perennial'
    : `${shellWord(near(process.execPath))} ${shellWord(near(main))}`
  return (command) => {
    if (!isNpm) return `${program} ${command}${folder}`
    if (command === 'tour' && isUsual) return 'npm run tour'
    return `npm run -s perennial -- ${command}${folder}`
  }
}

function near(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') ? file : path
}
