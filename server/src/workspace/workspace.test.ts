import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../test/support/program.ts'
import { shared, stampOfSources, webFolder } from './stamp.ts'
import { openWorkspace } from './workspace.ts'

type Line = { level: string; fields: object; message: string }

/** A package of screens of the test's own; its build is the script given. */
function webWith(files: { [path: string]: string }) {
  const folder = join(freshFolder(), 'web')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(path, text)
  const lines: Line[] = []
  const at = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields, message })
  const log = { info: at('info'), warn: at('warn'), error: at('error') }
  return { folder, write, lines, open: () => openWorkspace('build', log, folder) }
}

const sources = { 'package.json': '{}', 'src/main.tsx': 'one', 'index.html': '<html>' }
const vite = { 'node_modules/vite/package.json': '{}' }

test('an existing build of these sources is served', () => {
  const { folder, write, open, lines } = webWith({ ...sources, ...vite })
  write('dist/stamp', `${stampOfSources(folder)}\n`)
  assert.deepEqual(open().state(), { kind: 'ready', document: join(folder, 'dist/index.html') })
  assert.deepEqual(lines, [])
})

test('only what the build depends on changes the stamp', () => {
  const { folder, write } = webWith(sources)
  const first = stampOfSources(folder)
  const server = '../server/src/log.ts'
  for (const path of [
    'src/a.test.ts',
    'src/api/schema.d.ts',
    'test/pages.ts',
    'dist/x.js',
    server,
  ]) {
    write(path, 'new')
    assert.equal(stampOfSources(folder), first, path)
  }
  const seen = new Set([first])
  for (const path of ['src/b.ts', '../package-lock.json', 'vite.config.ts', 'public/icon.svg']) {
    write(path, 'new')
    seen.add(stampOfSources(folder))
  }
  write('src/main.tsx', 'two')
  seen.add(stampOfSources(folder))
  assert.equal(seen.size, 6)
})

test('changed sources are built beside the start', async () => {
  const script = `import { mkdirSync, writeFileSync } from 'node:fs'
    mkdirSync('dist', { recursive: true }); writeFileSync('dist/index.html', 'built')`
  const { open, lines } = webWith({ ...sources, ...vite, 'scripts/build.ts': script })
  const workspace = open()
  assert.equal(workspace.state().kind, 'building')
  await workspace.settled
  assert.equal(workspace.state().kind, 'ready')
  assert.deepEqual(
    lines.map(({ level }) => level),
    ['info'],
  )
})

test('a build that fails is a reason for people, and for the log what it said', async () => {
  const script = `console.error('main.tsx: unexpected token'); process.exit(1)`
  const { open, lines } = webWith({ ...sources, ...vite, 'scripts/build.ts': script })
  const workspace = open()
  await workspace.settled
  const state = workspace.state()
  assert.equal(state.kind, 'failed')
  assert.match(JSON.stringify(state), /could not be built: the log says why/)
  assert.equal(lines[0]?.level, 'warn')
  assert.match(JSON.stringify(lines[0]?.fields), /unexpected token/)
})

test('without Vite older screens are served, and if there are none it says how to get them', () => {
  const none = webWith({ ...sources, 'scripts/build.ts': '' })
  assert.match(JSON.stringify(none.open().state()), /"failed".*not built yet.*npm ci/)
  const older = webWith({ ...sources, 'scripts/build.ts': '', 'dist/stamp': 'other' })
  assert.equal(older.open().state().kind, 'ready')
  assert.match(older.lines[0]!.message, /older version/)
})

test('built files without their sources are served', () => {
  const { folder, open } = webWith({ 'dist/stamp': 'of somewhere else', ...vite })
  rmSync(join(folder, 'src'), { recursive: true, force: true })
  assert.equal(open().state().kind, 'ready')
})

test('a service that stops ends its build, and that is no failure', async () => {
  const script = `setTimeout(() => {}, 60_000)`
  const { open, lines } = webWith({ ...sources, ...vite, 'scripts/build.ts': script })
  const workspace = open()
  await workspace.stop()
  assert.deepEqual(lines, [])
})

test('the stamp of the screens follows from all that they share with the server', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: webFolder })
    .filter((file) => !/\.test\.|\.d\.ts$/.test(file))
    .map((file) => join(webFolder, file))
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '([./]+server\/[^']+)'/g)].map(([, path = '']) =>
      relative(webFolder, join(dirname(file), path)).replaceAll('\\', '/'),
    ),
  )
  assert.deepEqual([...new Set(imported)].sort(), [...shared].sort())
})
