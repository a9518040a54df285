import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { withPort } from './port.ts'

async function listens(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  return once(server, 'listening').then(
    () => new Promise((closed) => server.close(() => closed(true))),
    () => false,
  )
}

test('a port that the service chooses is nobody else’s during its start', async () => {
  const { config, releasePort } = await withPort(readConfig({ PORT: '0' }))
  assert.equal(new URL(config.publicUrl).port, String(config.port))
  assert.equal(await listens(config.port), false)
  await releasePort()
  assert.equal(await listens(config.port), true)
})

test('a port that others know refuses them until the service listens', async () => {
  const { config: free, releasePort: release } = await withPort(readConfig({ PORT: '0' }))
  await release()
  const { config, releasePort } = await withPort(readConfig({ PORT: String(free.port) }))
  assert.equal(config.port, free.port)
  assert.equal(await listens(config.port), true)
  await releasePort()
})
