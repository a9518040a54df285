import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../test/support/program.ts'
import { readConfig } from '../config.ts'
import { signInText } from './user.ts'
import { joinServers, warningOf } from './servers.ts'

test('a server learns of the others that run, and clears away what a killed one left', () => {
  const folder = freshFolder()
  const url = 'http://127.0.0.1:3000'
  const first = joinServers(folder, { url, public_url: url, version: '1.0.0' })
  assert.deepEqual(first.others, [])
  assert.equal(warningOf(first.others, folder, '1.0.0'), undefined)
  const write = (pid: number, version: string) =>
    writeFileSync(
      join(folder, 'servers', `other-${pid}.json`),
      JSON.stringify({
        pid,
        host: hostname(),
        url: `${url}1`,
        version,
        since: '2026-01-02T03:04:05.000Z',
      }),
    )
  write(process.ppid, '1.1.0')
  // no system gives out such a number
  write(2 ** 30, '1.0.0')
  writeFileSync(join(folder, 'servers', 'broken.json'), '{')
  const second = joinServers(folder, { url, public_url: url, version: '1.2.0' })
  assert.deepEqual(
    second.others.map(({ pid }) => pid),
    [process.ppid],
  )
  const warning = warningOf(second.others, folder, '1.2.0')
  assert.match(
    warning!,
    /Another server runs on ".*": http:\/\/127\.0\.0\.1:30001 \(process \d+, version 1\.1\.0, since 2026-01-02 03:04 UTC\)/,
  )
  assert.match(warning!, /This is version 1\.2\.0: its migrations apply to the other one, too/)
  assert.equal(readdirSync(join(folder, 'servers')).length, 2)
  second.leave()
  assert.equal(readdirSync(join(folder, 'servers')).length, 1)
})

test('commands name the page of the server that runs, and no port that nobody knows', () => {
  const folder = freshFolder()
  const of = (env: { [name: string]: string | undefined }) =>
    signInText(readConfig({ DATA_DIR: folder, ...env }))
  assert.equal(of({ PORT: '4711' }), 'Sign in at http://127.0.0.1:4711')
  assert.equal(of({ PUBLIC_URL: 'https://crm.acme.test' }), 'Sign in at https://crm.acme.test')
  assert.match(of({ PORT: '0' }), /^Sign in at the address that the server shows/)
  const url = 'http://127.0.0.1:43210'
  const { leave } = joinServers(folder, { url, public_url: 'https://run.test', version: '1.0.0' })
  for (const env of [{}, { PORT: '0' }]) assert.equal(of(env), 'Sign in at https://run.test')
  leave()
})
