import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// Puts what runs into a folder of its own: npm run pack -- FOLDER. The screens have to be built, or
// left out by --without-screens.
// There, `npm ci --omit=dev --workspace server --include-workspace-root=false` installs what it needs.

const root = fileURLToPath(new URL('../', import.meta.url))
const parts = [
  'package.json',
  'package-lock.json',
  'LICENSE',
  'README.md',
  'docs',
  'deploy',
  'server/src',
  'web/dist',
]
/** What only tests read, and what only one machine has, its secrets above all. */
const left = /\.test\.ts$|(^|\/)(node_modules|\.env[^/]*)(\/|$)/

const [target, option] = process.argv.slice(2)
const isBare = option === '--without-screens'
if (!target) throw new Error('npm run pack -- FOLDER')
const folder = resolve(target)
if (existsSync(folder) && readdirSync(folder).length) throw new Error(`${folder} is not empty`)
if (!isBare && !existsSync(join(root, 'web/dist/index.html'))) {
  throw new Error('The screens are not built: npm run build')
}
mkdirSync(folder, { recursive: true })
for (const part of parts.filter((each) => !isBare || each !== 'web/dist')) {
  cpSync(join(root, part), join(folder, part), {
    recursive: true,
    filter: (source) => !left.test(source.slice(root.length)),
  })
}
// npm wants to see each workspace of the lock file
for (const workspace of ['server', 'client', 'web', 'sdk']) {
  mkdirSync(join(folder, workspace), { recursive: true })
  cpSync(join(root, workspace, 'package.json'), join(folder, workspace, 'package.json'))
}
rmSync(join(folder, 'docs/screens'), { recursive: true, force: true })
