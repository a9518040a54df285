import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshFolder, root } from './support/program.ts'

// The runner of the tests, on test files of its own.

const passes = `test('passes', () => {})`
const fails = `test('passes', () => {}); test('fails', () => { throw new Error('no') })`
/** Fails in its first process and passes in the next. */
const races = `test('races', () => {
  if (existsSync(import.meta.filename + '.seen')) return
  writeFileSync(import.meta.filename + '.seen', '')
  throw new Error('lost the race')
})`
const crashes = `test('passes', () => {}); test('crashes', () => process.kill(process.pid, 'SIGKILL'))`

/** Runs these test files; the paths of files are shown without their folder. */
function runTests(tests: { [name: string]: string }) {
  const folder = freshFolder()
  const paths = Object.entries(tests).map(([name, text]) => {
    const path = join(folder, `${name}.test.ts`)
    const imports = `import { existsSync, writeFileSync } from 'node:fs'\nimport { test } from 'node:test'\n`
    writeFileSync(path, `${imports}${text}\n`)
    return path
  })
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, ['server/test/run.ts', ...paths], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  const lines = stdout.trim().split('\n')
  const number = (name: string) =>
    Number(/\d+/.exec(lines.findLast((line) => line.startsWith(`ℹ ${name} `))!))
  return {
    status,
    numbers: [number('tests'), number('pass'), number('fail')],
    flaky: lines
      .filter((line) => line.startsWith('flaky: '))
      .map((line) => line.replace(/^.*\//, '')),
    last: lines.at(-1)!,
    repeated: lines.filter((line) => line.startsWith('Run once more')).length,
  }
}

test('a file that fails once and passes alone is named at the end, and the run goes on', () => {
  const { status, numbers, flaky, last, repeated } = runTests({ a: passes, b: races, c: passes })
  assert.equal(status, 0)
  // each file is a test, too
  assert.deepEqual(numbers, [6, 6, 0])
  assert.deepEqual([flaky, repeated], [['b.test.ts'], 1])
  assert.match(last, /^flaky: .*b\.test\.ts$/)
})

test('a file that fails twice fails the run, whatever else was flaky', () => {
  const { status, numbers, flaky, repeated } = runTests({ a: passes, b: fails, c: races })
  assert.equal(status, 1)
  assert.equal(numbers[2], 1)
  assert.deepEqual([flaky, repeated], [['c.test.ts'], 2])
})

test('more than three failures are no accident, and one file alone has been run alone', () => {
  const many = runTests({ a: races, b: races, c: races, d: races, e: passes })
  assert.deepEqual([many.status, many.flaky, many.repeated], [1, [], 0])
  const one = runTests({ a: races })
  assert.deepEqual([one.status, one.flaky, one.repeated], [1, [], 0])
})

test('a process that is killed fails the run, even after tests that passed', () => {
  const { status } = runTests({ a: crashes, b: passes })
  assert.equal(status, 1)
})

test('--changed plays the tests that import what a branch has changed, and all of them if it is no module', () => {
  const folder = freshFolder()
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
  const said = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    return stdout
  }
  const git = (...args: string[]) =>
    said('git', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', ...args)
  const module = join(root, 'server/test/support/changed.ts')
  const script = `import { changedAmong } from ${JSON.stringify(module)}
    console.log(changedAmong(['a.test.ts', 'b.test.ts', 'c.test.ts']).join(' '))`
  const changed = () => said(process.execPath, '--input-type=module', '--eval', script).trim()
  write('far.ts', 'export const far = 1')
  write('near.ts', `export { far } from './far.ts'`)
  write('a.test.ts', `import './near.ts'`)
  write('b.test.ts', `import './other.ts'`)
  write('c.test.ts', `import { readFileSync } from 'node:fs'; readFileSync('README.md')`)
  write('other.ts', '')
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'One')
  assert.equal(changed(), '')
  git('switch', '-q', '-c', 'branch')
  write('far.ts', 'export const far = 2')
  git('commit', '-q', '-a', '-m', 'Two')
  assert.equal(changed(), 'a.test.ts')
  write('other.ts', 'export {}')
  assert.equal(changed(), 'a.test.ts b.test.ts')
  git('checkout', '-q', 'other.ts')
  write('README.md', 'new')
  assert.equal(changed(), 'a.test.ts c.test.ts')
  write('one.sql', 'select 1')
  assert.equal(changed(), 'a.test.ts b.test.ts c.test.ts')
})
