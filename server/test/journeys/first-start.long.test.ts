import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { readDemos } from '../../src/demo/credentials.ts'
import { configFile, freshFolder, startProgram, startServer } from '../support/program.ts'
import { call } from '../support/service.ts'

describe('a first start that is broken off', () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`by ${signal} leaves a folder on which the next start is a first start`, async () => {
      const env = { DATA_DIR: freshFolder() }
      // it stops once the step that it is at is done, however long that takes on a busy machine
      const CONFIG_FILE = configFile({ stop_timeout: 120 })
      const first = startProgram(['serve'], { ...env, PORT: '0', CONFIG_FILE })
      while (!first.err().includes('Making a new database'))
        await Promise.race([
          once(first.child.stderr!, 'data'),
          first.ended.then(() => assert.fail(first.err())),
        ])
      first.child.kill(signal)
      assert.equal(await first.ended, signal === 'SIGTERM' ? 0 : 'SIGKILL')
      assert.equal(first.out().includes('is ready'), false)

      const second = await startServer(env)
      const { demos } = readDemos(env.DATA_DIR)
      assert.equal(demos.length, 1)
      const { email, password, app } = demos[0]!
      assert.ok(second.out().includes(app.client_secret))
      const body = { email, password }
      assert.equal((await call(second.url, 'POST', '/api/login/', { body })).status, 200)
      second.child.kill('SIGTERM')
      assert.equal(await second.ended, 0)
    })
  }
})
