import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import {
  distFolder,
  stampOfBuilt,
  stampOfSources,
  webFolder,
} from '../../server/src/workspace/stamp.ts'

/**
 * Builds the screens into `web/dist`, unless they are built of these very sources. What is served
 * meanwhile stays whole: the new files take the place of the old ones when all of them are there.
 */
const begun = performance.now()
const lock = join(webFolder, '.building')
await locked(async () => {
  const stamp = stampOfSources()
  if (!stamp) throw new Error('There are no sources to build: web/src is missing')
  if (stamp === stampOfBuilt() && !process.argv.includes('--force')) return
  // of builds that were killed
  for (const left of globSync('dist-*', { cwd: webFolder })) {
    await rm(join(webFolder, left), { recursive: true, force: true })
  }
  const next = join(webFolder, `dist-${process.pid}`)
  try {
    await build({
      root: webFolder,
      mode: 'production',
      logLevel: 'warn',
      build: { outDir: next, emptyOutDir: true },
    })
    await compress(next)
    await writeFile(join(next, 'stamp'), `${stamp}\n`)
    const old = join(webFolder, `dist-${process.pid}-old`)
    await rename(distFolder, old).catch(() => {})
    await rename(next, distFolder)
    await rm(old, { recursive: true, force: true })
  } finally {
    await rm(next, { recursive: true, force: true })
  }
  console.log(`Built web/dist in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
})

/** Puts `.br` and `.gz` beside each file that gets smaller by it. */
async function compress(folder: string) {
  const files = globSync('**/*.{js,css,svg,json,webmanifest}', { cwd: folder })
  await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file)
      const content = await readFile(path)
      const smaller = [
        ['br', await promisify(brotliCompress)(content, brotliOptions(content.length))],
        ['gz', await promisify(gzip)(content, { level: 9 })],
      ] as const
      for (const [ending, packed] of smaller) {
        if (packed.length < content.length) await writeFile(`${path}.${ending}`, packed)
      }
    }),
  )
}

function brotliOptions(size: number) {
  // a first start waits for it: 9 takes seven times as long as 8 and makes files 0.2 % smaller, 11 twenty times and 6 %
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  return { params: { [BROTLI_PARAM_QUALITY]: 8, [BROTLI_PARAM_SIZE_HINT]: size } }
}

/** Runs alone among the processes of this machine; who waited finds what the other has built. */
async function locked(run: () => Promise<void>) {
  const own = `${lock}-${process.pid}`
  await writeFile(own, String(process.pid))
  for (;;) {
    // a link is there with its content or not at all
    const isOurs = await link(own, lock).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      },
    )
    if (isOurs) break
    const owner = await readFile(lock, 'utf8').catch(() => undefined)
    // killed while it built
    if (owner !== undefined && !isAlive(Number(owner))) await rm(lock, { force: true })
    await pause(100)
  }
  await rm(own)
  try {
    await run()
  } finally {
    await rm(lock, { force: true })
  }
}

function isAlive(pid: number): boolean {
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
