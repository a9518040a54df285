import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freshFolder, main, root } from './program.ts'

const run = promisify(execFile)

/** A fenced block of a page: its language, the word behind it, its text, its line. */
export type Block = { language: string; word: string; text: string; line: number }

/** What runs each language; the text is on standard input. */
export const interpreters: { [language: string]: string[] } = {
  ts: [process.execPath, '--input-type=module-typescript', '-'],
  python: ['python3', '-'],
  php: ['php'],
}

/** The fenced blocks of a page. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  for (const match of page.matchAll(/^```(\w*) ?(\w*)\n([\s\S]*?)^```$/gm)) {
    const [, language = '', word = '', text = ''] = match
    const line = page.slice(0, match.index).split('\n').length
    blocks.push({ language, word, text, line })
  }
  return blocks
}

/**
 * Runs blocks of a page as one shell script, so that a variable of one is known to those after it; what
 * it printed. A block `background` goes on beside those after it, until the script ends.
 */
export async function script(
  name: string,
  blocks: Block[],
  env: { [name: string]: string },
): Promise<string> {
  const parts = blocks.flatMap(({ language, word, text, line }) => {
    if (language !== 'sh' && !(language in interpreters)) return []
    const at = `AT=${line}`
    if (language === 'sh') return word === 'background' ? [at, inBackground(text)] : [at, text]
    const command = interpreters[language]!.map((each) => `'${each}'`).join(' ')
    return [at, `${command} <<'END_OF_BLOCK'`, `${text}END_OF_BLOCK`]
  })
  const head = `set -euo pipefail\nset -a\ntrap 'echo "failed at ${name}:$AT" >&2' ERR\n`
  const { stdout } = await run('bash', ['-c', `${head}${parts.join('\n')}`], {
    cwd: env.FOLDER,
    env: { ...env, PATH: `${env.FOLDER}:${process.env.PATH}`, HOME: process.env.HOME },
    timeout: 180_000,
  })
  return stdout
}

function inBackground(text: string): string {
  return [
    // itself and no child of a shell, so that the signal reaches it
    `{ exec ${text}} > background.txt 2>&1 &`,
    'trap "kill $! 2> kill.txt; wait" EXIT',
    'for attempt in $(seq 600); do grep -q Listening background.txt && break; sleep 0.1; done',
    '',
  ].join('\n')
}

/** A folder in which a page runs: the command line and the SDK are there, as on its reader's machine. */
export function guideFolder(env: { [name: string]: string } = {}): string {
  const folder = freshFolder()
  const settings = Object.entries({ DATA_DIR: folder, ...env }).map(
    ([key, value]) => `${key}='${value}'`,
  )
  writeFileSync(
    join(folder, 'perennial'),
    `#!/bin/sh\n${settings.join(' ')} exec '${process.execPath}' '${main}' "$@"\n`,
    { mode: 0o755 },
  )
  symlinkSync(process.execPath, join(folder, 'node'))
  const sdk = join(folder, 'sdk')
  mkdirSync(sdk)
  writeFileSync(
    join(sdk, 'package.json'),
    JSON.stringify({ name: '@perennial/sdk', type: 'module', exports: './index.ts' }),
  )
  writeFileSync(join(sdk, 'index.ts'), `export * from '${root}sdk/src/index.ts'\n`)
  mkdirSync(join(folder, 'node_modules/@perennial'), { recursive: true })
  symlinkSync(sdk, join(folder, 'node_modules/@perennial/sdk'))
  return folder
}
