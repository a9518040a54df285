import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from './support/finally.ts'

// What `npm run new` writes is a service whose types, layers, format and tables are right, in a copy of this one.

const root = new URL('../../', import.meta.url).pathname
const commands: string[][] = [
  ['record', 'bookmarks', 'bookmark'],
  ['field', 'bookmark', 'account_id', 'accounts', 'account that it is of'],
  ['field', 'accounts', 'renewal_owner', 'user', 'user who looks after the renewal'],
  ['field', 'tasks', 'is_billable', 'boolean', "whether the customer's bill has it"],
  ['field', 'deals', 'legal_name', 'text', 'name in the contract'],
  ['field', 'contacts', 'points', 'integer', 'points that were collected'],
  ['field', 'companies', 'weight', 'number', 'weight in the portfolio'],
  ['field', 'survey', 'archived_on', 'date', 'day on which it was put away'],
  ['field', 'tag', 'seen_time', 'timestamp', 'when somebody used it'],
  ['operation', 'tasks', 'archive'],
  ['event', 'tasks', 'archived', 'A task was archived'],
  ['event', 'tag', 'renamed', 'A tag was renamed'],
  ['job', 'tasks', 'count_tasks'],
]

describe('what npm run new writes', () => {
  const copy = mkdtempSync(join(tmpdir(), 'perennial-new-'))
  // the tests of the copy are no part of this run
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const run = (...words: string[]) =>
    promisify(execFile)(process.execPath, words, { cwd: copy, env }).catch(
      (failed: { stdout: string; stderr: string }) =>
        assert.fail(`${words.join(' ')}\n${failed.stdout}\n${failed.stderr}`),
    )

  before(async () => {
    atEnd(async () => rmSync(copy, { recursive: true, force: true }))
    const left = /(^|\/)node_modules$|^(\.git|data|pictures|web\/dist)$/
    const filter = (file: string) => !left.test(relative(root, file))
    cpSync(root, copy, { recursive: true, filter })
    for (const folder of ['', 'web/', 'sdk/']) {
      symlinkSync(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'))
    }
    const config = { extends: './tsconfig.json', include: ['server'] }
    writeFileSync(join(copy, 'tsconfig.new.json'), JSON.stringify(config))
    for (const words of commands) await run('server/scripts/new.ts', ...words)
  })

  test('has right types', async () => {
    await run('node_modules/.bin/tsc', '-p', 'tsconfig.new.json', '--checkers', '1')
  })

  test('keeps the layers and the format', async () => {
    await run('server/scripts/layers.ts')
    await run('node_modules/oxfmt/bin/oxfmt', '--check', 'server/src', 'server/scripts')
  })

  test('has tables as they must be, which filters read', async () => {
    await run('--test', 'server/test/schema.test.ts', 'server/test/add-field.test.ts')
    await run('--test', 'server/test/links.test.ts')
  })

  test('is written once', async () => {
    const twice = run('server/scripts/new.ts', 'job', 'tasks', 'count_tasks')
    await assert.rejects(twice, /is there already/)
    const own = readFileSync(join(copy, 'server/src/jobs/own.ts'), 'utf8')
    assert.equal(own.match(/countTasks as Job/g)?.length, 1)
  })
})
