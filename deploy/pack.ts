import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// Copies what the service needs to run into a folder: npm run pack -- FOLDER. The screens have to be
// built first, or omitted with --without-screens. In that folder,
// `npm ci --omit=dev --workspace server --include-workspace-root=false` installs the dependencies.

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
/** Files that only tests need, and local files, above all secrets. */
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
// npm requires each workspace of the lock file to exist
for (const workspace of ['server', 'client', 'web', 'sdk']) {
  mkdirSync(join(folder, workspace), { recursive: true })
  cpSync(join(root, workspace, 'package.json'), join(folder, workspace, 'package.json'))
}
rmSync(join(folder, 'docs/screens'), { recursive: true, force: true })
