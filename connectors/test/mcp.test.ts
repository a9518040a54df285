import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from '../../server/test/support/finally.ts'
import { connectMcp } from '../../server/test/support/mcp.ts'
import { makeOrganization, startService } from '../../server/test/support/service.ts'

const folder = new URL('../mcp/', import.meta.url)
const program = new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', folder)
const isInstalled = existsSync(program)
const skip = isInstalled ? false : 'npm run connectors:test installs the conformance scenarios'
if (!isInstalled && process.env.CI_CONNECTORS === 'required') {
  throw new Error('CI_CONNECTORS=required, and connectors/mcp is not installed')
}

const run = promisify(execFile)

describe('the conformance scenarios of MCP', { skip }, () => {
  let url: string

  before(async () => {
    const service = await startService()
    const { access_token } = await connectMcp(service, await makeOrganization(service))
    // the scenarios bring no token: this adds one, and changes nothing else
    const { port } = new URL(service.url)
    const relay = createServer((incoming, outgoing) => {
      const headers = { ...incoming.headers, authorization: `Bearer ${access_token}` }
      const { method, url: path } = incoming
      const passed = forward({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      })
      passed.on('error', () => outgoing.destroy())
      incoming.pipe(passed)
    })
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
    atEnd(async () => void relay.close())
    url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}/mcp`
  })

  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
    test(scenario, async () => {
      const args = [program.pathname, 'server', '--url', url, '--scenario', scenario]
      const { stdout, stderr } = await run(process.execPath, args)
      assert.match(stdout + stderr, /Passed: [1-9]\d*\/\d+, 0 failed/, stdout + stderr)
    })
  }
})
