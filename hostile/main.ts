import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../server/src/database/embedded.ts'
import { migrate } from '../server/src/database/migrate.ts'
import { play } from './play.ts'
import type { Scenario } from './scenario.ts'
import { makeWorld } from './world.ts'

/**
 * Hostile neighbours: each scenario attacks the service from one organization while a bystander of
 * another works. `npm run hostile -- --only reads --seconds 8`; with `--power` each scenario is run
 * once more without the limit that it tests, and then has to fail. `--profile FOLDER` writes a CPU
 * profile of each service process there. Exit status 1 if the service does not hold against one.
 */
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '8' },
    power: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
})
const seconds = Number(flags.seconds)
const files = globSync('hostile/scenarios/*.ts')
  .toSorted()
  .filter((file) => !flags.only || file.includes(flags.only))
if (!files.length) throw new Error(`There is no scenario ${flags.only}`)
const folder = mkdtempSync(join(tmpdir(), 'perennial-hostile-'))
const embedded = await startEmbedded({ dataDir: folder, log: () => {} })
try {
  await migrate(embedded.url)
  const world = await makeWorld(embedded.url)
  const legend: string[] = []
  console.log(
    '| attack | requests (p99), quiet → attacked | sign-ins (p90) | deliveries (p90) | refused | heap | loop | holds |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const file of files) {
    const path = resolve(file)
    const { default: scenario } = (await import(path)) as { default: Scenario }
    legend.push(`- ${scenario.name}: ${scenario.shows}`)
    for (const isBare of flags.power ? [false, true] : [false]) {
      const limits = { ...scenario.limits, ...(isBare ? scenario.without : {}) }
      const { row, failures } = await play({
        name: isBare ? `${scenario.name}, unbounded` : scenario.name,
        path,
        settings: scenario.settings ?? {},
        limits,
        seconds,
        world,
        databaseUrl: embedded.url,
        folder,
        profile: flags.profile && resolve(flags.profile),
      })
      console.log(row)
      for (const failure of failures) console.error(`  ${failure}`)
      if (Boolean(failures.length) !== isBare) process.exitCode = 1
    }
  }
  console.log(['', 'What they show:', '', ...legend].join('\n'))
} finally {
  await embedded.stop()
  rmSync(folder, { recursive: true, force: true })
}
