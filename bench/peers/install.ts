import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The package of another product, at one version, with its dependencies. */
export type Packages = { [name: string]: string }

/**
 * Installs packages in a separate folder, unless the same are already there, and reports why if that fails.
 * They never become dependencies of this repository.
 */
export function install(folder: string, packages: Packages): string | undefined {
  const manifest = `${JSON.stringify({ private: true, dependencies: packages }, null, 2)}\n`
  const file = join(folder, 'package.json')
  const done = join(folder, 'installed.json')
  if (existsSync(done) && readFileSync(done, 'utf8') === manifest) return undefined
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, manifest)
  process.stderr.write(`installing ${Object.keys(packages)[0]} in ${folder}\n`)
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 600_000,
  })
  if (status !== 0) {
    const lines = (stderr ?? '').split('\n').filter((line) => line.startsWith('npm error'))
    return lines[0] ?? 'npm install did not end within ten minutes'
  }
  writeFileSync(done, manifest)
  return undefined
}
