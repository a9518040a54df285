import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atEnd } from './finally.ts'
import type { TunedName } from '../../src/tuning.ts'

type Environment = { [name: string]: string | undefined }

/** A process of the product, with its output so far. */
export type Program = {
  child: ChildProcess
  out(): string
  err(): string
  /** resolves when the text is on standard output; fails when the process ends first */
  said(text: string | RegExp): Promise<void>
  /** the exit status once it has ended, or the signal that ended it */
  ended: Promise<number | string>
}

export const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Starts `perennial` as an operator would, without the settings of this process. */
export function startProgram(args: string[], env: Environment = {}): Program {
  // a process starts in half the time when it finds what another has compiled
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  // without the screens, unless a test wants them
  const options = { cwd: root, env: { PATH, HOME, NODE_COMPILE_CACHE, WORKSPACE: 'off', ...env } }
  const child = spawn(process.execPath, [main, ...args], options)
  const texts = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (texts.out += chunk))
  child.stderr.on('data', (chunk) => (texts.err += chunk))
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  atEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  })
  const program: Program = {
    child,
    out: () => texts.out,
    err: () => texts.err,
    ended,
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = typeof text === 'string' ? texts.out.includes(text) : text.test(texts.out)
          if (!found) return
          child.stdout.off('data', look)
          resolve()
        }
        child.stdout.on('data', look)
        look()
        void ended.then((status) =>
          reject(new Error(`ended with ${status} before it said ${text}: ${texts.err}`)),
        )
      }),
  }
  return program
}

/** Runs `perennial` to its end. */
export async function runProgram(args: string[], env: Environment = {}) {
  const program = startProgram(args, env)
  const status = await program.ended
  return { status, out: program.out(), err: program.err() }
}

/** Starts the service on a free port and waits until it is ready. */
export async function startServer(env: Environment, args: string[] = []) {
  const CONFIG_FILE = configFile({ max_in_flight: 0 })
  const program = startProgram(['serve', ...args], { PORT: '0', CONFIG_FILE, ...env })
  await program.said(/is ready after .*\n/)
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(program.out()) ?? []
  assert.ok(url, program.out())
  return { ...program, url }
}

/** A configuration file with some settings. */
export function configFile(settings: { [name in TunedName]?: number }): string {
  const path = join(freshFolder(), 'settings.json')
  writeFileSync(path, JSON.stringify(settings))
  return path
}

/** A temporary folder that is removed when the file is done. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perennial-run-'))
  atEnd(async () => {
    for (const data of [folder, join(folder, 'data')]) {
      const cluster = clusterOf(data)
      if (cluster) rmSync(dirname(cluster), { recursive: true, force: true })
    }
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Where the embedded database stores the data of a folder that its own user cannot enter. */
function clusterOf(folder: string): string | undefined {
  const path = join(folder, 'postgres.json')
  // by its text: tests damage the file
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return /"cluster":\s*"([^"]+)"/.exec(text)?.[1]
}
