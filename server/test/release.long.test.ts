import assert from 'node:assert/strict'
import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { atEnd } from './support/finally.ts'
import { freshFolder, root, runProgram } from './support/program.ts'
import { call } from './support/service.ts'

/** Runs a program to its end; its output. */
async function said(program: string, args: string[], options: SpawnOptionsWithoutStdio) {
  const child = spawn(program, args, options)
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { status: child.exitCode, out, err }
}

/** A program of this machine, by its links' end. */
function whereIs(name: string): string {
  const [found] = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => globSync(join(folder, name)))
  assert.ok(found, `${name} is on no path`)
  return realpathSync(found)
}

/** Steps in order: each uses what the one before has made. */
describe('the release', () => {
  const folder = freshFolder()
  const file = join(folder, 'perennial.tgz')
  const bin = join(folder, 'bin')
  const prefix = join(folder, 'prefix')
  const home = join(folder, 'home')
  const work = join(folder, 'work')
  const program = join(prefix, 'bin/perennial')
  const installed = join(prefix, 'lib/node_modules/perennial')
  // Node alone: no compiler, no shell on the path, no registry
  const env = { PATH: bin, HOME: home }

  before(async () => {
    for (const path of [bin, prefix, home, work]) mkdirSync(path)
    symlinkSync(process.execPath, join(bin, 'node'))
    const secret = join(root, 'deploy/.env.of-a-test')
    writeFileSync(secret, 'SECRET_KEY=x')
    atEnd(async () => rmSync(secret, { force: true }))
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
    const { HOME } = process.env
    const made = await said(process.execPath, ['deploy/release.ts', file], {
      cwd: root,
      env: { PATH, HOME },
    })
    assert.equal(made.status, 0, made.err)
  })

  test('is installed by npm without a registry', async (t) => {
    const begun = performance.now()
    const line = [whereIs('npm'), 'install', '-g', '--offline', '--prefix', prefix, file]
    const { status, err } = await said(process.execPath, line, { cwd: work, env })
    assert.equal(status, 0, err)
    assert.doesNotMatch(err, /EBADENGINE/)
    t.diagnostic(`installed after ${Math.round(performance.now() - begun)} ms`)
  })

  test('contains no test, no secret and no TypeScript', () => {
    const names = globSync('{server,deploy,docs,web}/**', {
      cwd: installed,
      exclude: (name) => name === 'node_modules',
    })
    assert.ok(names.includes('server/src/database/migrations/0001_ground.sql'))
    assert.deepEqual(
      names.filter((name) => /\.test\.js$|\.tsx?$|(^|\/)\.env|^docs\/screens/.test(name)),
      [],
    )
    assert.deepEqual(globSync('**/.env*', { cwd: join(installed, 'deploy') }), [])
  })

  test('each of its modules finds those that it names', () => {
    const missing: string[] = []
    for (const path of globSync(join(installed, '{server/src,deploy}/**/*.js'))) {
      const code = readFileSync(path, 'utf8').replace(/^ *(\*|\/[*/]).*$/gm, '')
      const named = code.matchAll(
        /(?:(?:from|import\(|resolve\(|^import) ?'(?=\.)|new URL\(')([^']+\.[jt]s)'/gm,
      )
      for (const [, name] of named) {
        if (!globSync(fileURLToPath(new URL(name!, pathToFileURL(path)))).length)
          missing.push(`${path}: ${name}`)
      }
    }
    assert.deepEqual(missing, [])
  })

  test('says its version, and how its commands are called', async () => {
    const { out } = await said(program, ['version'], { cwd: work, env })
    assert.equal(out, (await runProgram(['version'])).out)
  })

  test('starts in an empty folder by its name alone, with its screens and its demonstration', async (t) => {
    const begun = performance.now()
    const child = spawn(program, [], { cwd: work, env: { ...env, PORT: '0', LOG_LEVEL: 'warn' } })
    const ended = once(child, 'close')
    atEnd(async () => {
      child.kill('SIGTERM')
      await ended
    })
    let out = ''
    await new Promise<void>((ready, failed) => {
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        out += chunk
        if (/is ready after .*\n/.test(out)) ready()
      })
      void text(child.stderr).then((err) => failed(new Error(err)))
    })
    t.diagnostic(`ready after ${Math.round(performance.now() - begun)} ms`)
    const [, url] = /is ready after .*(http:\S+)/.exec(out)!
    assert.match(out, /run "perennial tour"/)
    const page = await call(url!, 'GET', '/', { headers: { accept: 'text/html' } })
    assert.equal(page.status, 200)
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)!
    assert.equal((await call(url!, 'GET', script!)).status, 200)
    const [, email, password] = /Sign in +(\S+) +(\S+)/.exec(out)!
    assert.equal(
      (await call(url!, 'POST', '/api/login/', { body: { email, password } })).status,
      200,
    )
    assert.equal((await call(url!, 'GET', '/docs/')).status, 200)
    const probe = async (PORT: string) =>
      (await said(process.execPath, ['deploy/healthcheck.js'], { cwd: installed, env: { PORT } }))
        .status
    assert.deepEqual([await probe(new URL(url!).port), await probe('1')], [0, 1])
  })
})
