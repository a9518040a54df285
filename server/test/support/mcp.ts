import type { VersionNegotiationOptions } from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { makeConnection } from './integration.ts'
import type { TestOrganization, TestService } from './service.ts'

/** The two revisions of the protocol, as the official client is made to speak them. */
export const eras: { [revision: string]: VersionNegotiationOptions } = {
  '2026-07-28': { mode: { pin: '2026-07-28' } },
  '2025-11-25': { mode: 'legacy' },
}

/** A fetch that reaches the service under the address that it calls its own. */
export function reaching(service: TestService): typeof fetch {
  const { publicUrl } = service.runtime.config
  return (url, init) => fetch(String(url).replace(publicUrl, service.url), init)
}

/** The official client with an access token. */
export async function clientWith(
  service: TestService,
  token: string,
  versionNegotiation: VersionNegotiationOptions = { mode: 'auto' },
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation })
  const { publicUrl } = service.runtime.config
  const transport = new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), {
    fetch: reaching(service),
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  return client
}

type Options = NonNullable<Parameters<typeof makeConnection>[2]>

/** A connection of an app whose tokens are for MCP. */
export function connectMcp(
  service: TestService,
  org: Pick<TestOrganization, 'id' | 'users'>,
  options: Options = {},
) {
  return makeConnection(service, org, { ...options, audience: 'mcp' })
}

export type Called = { text: string; value: any; isError: boolean }

/** Calls a tool by a plain request of the older revision: what it says, and the JSON in it. */
export async function callTool(
  service: TestService,
  token: string,
  name: string,
  args: object = {},
): Promise<Called> {
  const params = { name, arguments: args }
  const reply = await service.call('POST', '/mcp', {
    token,
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  })
  const data = /^data: (.+)$/m.exec(reply.text)?.[1] ?? reply.text
  const { result, error, message } = JSON.parse(data)
  if (!result) return { text: message ?? error.message, value: undefined, isError: true }
  const text = String(result.content[0].text)
  const isError = result.isError === true
  return { text, value: isError ? undefined : JSON.parse(text), isError }
}
