import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Log } from '../kit/ground/context.ts'
import { stampOfBuilt, stampOfSources, webFolder } from './stamp.ts'

/** The path of the document; or what it waits for, or why the build failed, for people. */
export type WorkspaceState =
  | { kind: 'ready'; document: string }
  | { kind: 'building' }
  | { kind: 'preparing' }
  | { kind: 'failed'; reason: string }
  | { kind: 'off' }

/** The screens that this process serves. */
export type Workspace = {
  state(): WorkspaceState
  /** resolves when a running build has ended; never rejects */
  settled: Promise<void>
  /** ends a running build */
  stop(): Promise<void>
}

/** No screens: the API alone. */
export const noWorkspace: Workspace = fixed({ kind: 'off' })

/** The state that people see while the data of a first start is written: its sign-in would be missing. */
export function whilePreparing(state: WorkspaceState): WorkspaceState {
  return state.kind === 'ready' ? { kind: 'preparing' } : state
}

/**
 * The screens of this repository. `build`: the existing build, or a new one, in a separate process of
 * low priority, if the sources have changed; a failed build is reported with its reason, in the log
 * too. `dev`: the document from the sources, for Vite to serve.
 */
export function openWorkspace(mode: Config['workspace'], log: Log, folder = webFolder): Workspace {
  if (mode === 'off') return noWorkspace
  if (mode === 'dev') return fixed({ kind: 'ready', document: join(folder, 'index.html') })
  const ready: WorkspaceState = { kind: 'ready', document: join(folder, 'dist/index.html') }
  const [built, wanted] = [stampOfBuilt(join(folder, 'dist')), stampOfSources(folder)]
  if (built !== undefined && (wanted === undefined || built === wanted)) return fixed(ready)
  if (hasVite(folder)) return building(ready, log, folder)
  const hint = 'Vite is not installed: run "npm ci", or "npm run build" on another machine'
  if (built === undefined) {
    log.warn({}, `The screens are not built. ${hint}`)
    return fixed({ kind: 'failed', reason: `The screens are not built yet. ${hint}.` })
  }
  log.warn({}, `The screens are those of an older version. ${hint}`)
  return fixed(ready)
}

function fixed(state: WorkspaceState): Workspace {
  return { state: () => state, settled: Promise.resolve(), stop: async () => {} }
}

function hasVite(folder: string): boolean {
  try {
    createRequire(join(folder, 'package.json')).resolve('vite/package.json')
    return existsSync(join(folder, 'scripts/build.ts'))
  } catch {
    return false
  }
}

/** Builds in a child process, detached from the terminal's Ctrl-C, which the parent handles. */
function building(ready: WorkspaceState, log: Log, folder: string): Workspace {
  let state: WorkspaceState = { kind: 'building' }
  let isStopping = false
  const begun = performance.now()
  const child = spawn(process.execPath, [join(folder, 'scripts/build.ts')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  try {
    // low priority, because the database starts meanwhile, and people wait for that first
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // it has already ended
  }
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-8000)))
  }
  const settled = new Promise<void>((resolve) => {
    const end = (status: number | string) => {
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      if (status === 0) {
        state = ready
        log.info({ seconds }, 'the screens are built')
      } else if (!isStopping) {
        log.warn({ status, output }, 'the screens could not be built')
        const reason =
          'The screens could not be built: the log says why. "npm run build" tries again.'
        state = { kind: 'failed', reason }
      }
      resolve()
    }
    child.once('error', (error) => end(error.message))
    child.once('close', (code, signal) => end(code ?? signal ?? 1))
  })
  return {
    state: () => state,
    settled,
    async stop() {
      isStopping = true
      child.kill('SIGTERM')
      await settled
    },
  }
}
