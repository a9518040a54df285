import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import fc from 'fast-check'
import { depth } from '../../test/support/depth.ts'
import { post } from './post.ts'
import {
  checkTarget,
  guardedAgent,
  TargetError,
  type Resolve,
  type TargetPolicy,
} from './target.ts'

const strict: TargetPolicy = { allowHttp: false, allowLoopbackHttp: false, allowedCidrs: [] }
const local: TargetPolicy = { ...strict, allowLoopbackHttp: true }
const published = '93.184.215.14'

/** A resolver that knows one answer; `calls` counts how often it was used. */
function resolver(...addresses: string[]): Resolve & { calls: number } {
  const resolve = async () => {
    resolve.calls++
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  resolve.calls = 0
  return resolve
}

async function refused(
  url: string,
  code: TargetError['code'],
  message: RegExp,
  policy = strict,
  resolve: Resolve = resolver(published),
): Promise<void> {
  await assert.rejects(checkTarget(url, policy, { resolve }), (error) => {
    assert.ok(error instanceof TargetError, String(error))
    assert.equal(error.code, code, url)
    assert.match(error.message, message)
    return true
  })
}

/** A server on 127.0.0.1 that answers 204 and keeps the requests it got. */
async function receiver(server: Server = createServer()) {
  const requests: IncomingMessage[] = []
  const connections = { count: 0 }
  server.on('connection', () => connections.count++)
  server.on('request', (request, response) => {
    requests.push(request)
    response.writeHead(204).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, requests, connections }
}

function agentFor(policy: TargetPolicy, resolve?: Resolve) {
  const agent = guardedAgent(policy, { resolve })
  after(() => agent.destroy())
  return agent
}

const send = (agent: ReturnType<typeof agentFor>, url: string) =>
  post(agent, { url, headers: { 'content-type': 'application/json' }, body: '{}' })

test('a public https address passes, by name and as a literal', async () => {
  const resolve = resolver(published, '2606:2800:21f:cb07:6820:80da:af6b:8b2c')
  const url = await checkTarget('https://hooks.example.com:8443/a?b=c', strict, { resolve })
  assert.equal(url.href, 'https://hooks.example.com:8443/a?b=c')
  for (const literal of ['1.1.1.1', '[2606:4700:4700::1111]', '8.8.8.8.', '134744072']) {
    await checkTarget(`https://${literal}/`, strict, { resolve })
  }
  assert.equal(resolve.calls, 1)
})

test('a URL that is invalid, too long, not https, or has credentials is refused with the reason', async () => {
  await refused('', 'invalid_url', /absolute URL such as/)
  await refused('/hook', 'invalid_url', /absolute URL/)
  await refused('hooks.example.com', 'invalid_url', /absolute URL/)
  await refused('https://', 'invalid_url', /absolute URL/)
  await refused('https://256.1.1.1/', 'invalid_url', /absolute URL/)
  await refused('https://[fe80::1%25eth0]/', 'invalid_url', /absolute URL/)
  await refused('https://a.test:99999/', 'invalid_url', /absolute URL/)
  await refused('https://user@a.test/', 'invalid_url', /user name or a password/)
  await refused('https://:secret@a.test/', 'invalid_url', /user name or a password/)
  await refused('https://a.test:0/', 'invalid_url', /port 0/)
  await refused(`https://a.test/${'a'.repeat(2048)}`, 'invalid_url', /longer than 2048/)
  await refused(`https://a.test/${'é'.repeat(500)}`, 'invalid_url', /longer than 2048/)
  for (const scheme of ['http', 'ftp', 'file', 'ws', 'gopher', 'javascript', 'data']) {
    await refused(`${scheme}://a.test/`, 'not_https', /must begin with https/)
  }
})

test('a name that does not resolve is refused', async () => {
  await refused('https://a.test/', 'unresolved', /host a.test cannot be found/, strict, resolver())
  await refused('https://nowhere.invalid/', 'unresolved', /nowhere.invalid/, strict, async () => {
    throw new Error('ENOTFOUND')
  })
  await assert.rejects(checkTarget('https://nowhere.invalid./', strict), /cannot be found/)
})

test('the message says what an address is, but never which address a name has', async () => {
  const cases: [string, RegExp][] = [
    ['10.1.2.3', /a private address/],
    ['fd12::1', /a private address/],
    ['127.0.0.1', /a loopback address/],
    ['169.254.169.254', /a link-local address/],
    ['100.100.100.200', /a carrier-grade NAT address/],
    ['168.63.129.16', /a metadata address/],
    ['::ffff:8.8.8.8', /an IPv4-mapped address/],
    ['64:ff9b::808:808', /a NAT64 address/],
    ['203.0.113.9', /a reserved address/],
    ['not an address', /not an IP address/],
  ]
  for (const [address, message] of cases) {
    const resolve = resolver(address)
    await refused('https://a.test/', 'forbidden_address', message, strict, resolve)
    await assert.rejects(checkTarget('https://a.test/', strict, { resolve }), (error: Error) => {
      return !error.message.includes(address) || address === 'not an address'
    })
  }
})

test('http needs the policy, for all addresses or for loopback only', async () => {
  const http = { ...strict, allowHttp: true }
  await checkTarget('http://a.test/', http, { resolve: resolver(published) })
  await refused('http://127.0.0.1/', 'forbidden_address', /loopback/, http)

  for (const url of ['http://127.0.0.1:3000/', 'http://[::1]/', 'https://127.9.9.9/']) {
    await checkTarget(url, local)
  }
  await checkTarget('http://localhost/', local, { resolve: resolver('::1', '127.0.0.1') })
  await refused('http://a.test/', 'not_https', /https/, local)
  await refused('http://10.0.0.1/', 'forbidden_address', /private/, local)
  const both = resolver('127.0.0.1', published)
  await refused('http://a.test/', 'not_https', /https/, local, both)
  await refused('https://0.0.0.0/', 'forbidden_address', /unspecified/, local)
  await refused('http://[::ffff:127.0.0.1]/', 'forbidden_address', /mapped/, local)
})

test('opened ranges open themselves and nothing else', async () => {
  const opened = { ...strict, allowedCidrs: ['10.1.0.0/16', 'fd00::/8', '192.168.7.7'] }
  for (const url of ['https://10.1.255.255/', 'https://[fdab::1]/', 'https://192.168.7.7/']) {
    await checkTarget(url, opened)
  }
  await refused('https://10.2.0.0/', 'forbidden_address', /private/, opened)
  await refused('https://192.168.7.8/', 'forbidden_address', /private/, opened)
  await refused('https://[::ffff:10.1.0.1]/', 'forbidden_address', /mapped/, opened)
  await refused('http://10.1.0.1/', 'not_https', /https/, opened)
})

test('an invalid range is named', () => {
  for (const range of ['10/8', '10.0.0.0/33', '::/129', 'ten', '', '10.0.0.0/', '010.0.0.0/8']) {
    const policy = { ...strict, allowedCidrs: ['10.0.0.0/8', range] }
    assert.throws(() => guardedAgent(policy), {
      message: `"${range}" is no address range: give one such as 10.0.0.0/8 or fd00::/8`,
    })
  }
})

// Written down from the IANA special-purpose address registries, RFC 4291 and the issue, not from
// the code, as [first address in hex, prefix length].
const forbidden4: [number, number][] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xa9fea9fe, 32],
  [0xa83f8110, 32],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 4],
  [0xf0000000, 4],
  [0xffffffff, 32],
]
const forbidden6: [bigint, number][] = [
  [0n, 96],
  [0n, 8],
  [0xffffn << 32n, 96],
  [0xffff0000n << 32n, 96],
  [0x64ff9bn << 96n, 96],
  [0x64ff9b0001n << 80n, 48],
  [0x0100n << 112n, 64],
  [0x2001n << 112n, 32],
  [0x20010002n << 96n, 48],
  [0x20010010n << 96n, 28],
  [0x20010020n << 96n, 28],
  [0x20010db8n << 96n, 32],
  [0x2002n << 112n, 16],
  [0x3fffn << 112n, 20],
  [0x4000n << 112n, 2],
  [0x5f00n << 112n, 16],
  [0x8000n << 112n, 1],
  [0xfc00n << 112n, 7],
  [0xfd000ec2n << 96n, 32],
  [0xfe80n << 112n, 10],
  [0xfec0n << 112n, 10],
  [0xff00n << 112n, 8],
]

const anyV4 = fc.integer({ min: 0, max: 0xffffffff })
const forbiddenV4 = fc
  .tuple(fc.constantFrom(...forbidden4), anyV4)
  .map(([[first, bits], host]) => first + (bits === 32 ? 0 : host % 2 ** (32 - bits)))
const forbiddenV6 = fc
  .tuple(fc.constantFrom(...forbidden6), fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }))
  .map(([[first, bits], host]) => first | (host & ((1n << BigInt(128 - bits)) - 1n)))

const octets = (ip: number) => [ip >>> 24, (ip >>> 16) & 255, (ip >>> 8) & 255, ip & 255]
const dotted = (ip: number) => octets(ip).join('.')
const hex = (number: number) => `0x${number.toString(16)}`
const octal = (number: number) => `0${number.toString(8)}`
const groups = (ip: bigint) =>
  Array.from({ length: 8 }, (_, i) => ((ip >> BigInt(112 - 16 * i)) & 0xffffn).toString(16))

const spellings4: ((ip: number) => string)[] = [
  dotted,
  (ip) => `${dotted(ip)}.`,
  String,
  hex,
  octal,
  (ip) => octets(ip).map(hex).join('.'),
  (ip) => octets(ip).map(octal).join('.'),
  (ip) =>
    octets(ip)
      .map((octet, i) => [String, hex, octal][i % 3]!(octet))
      .join('.'),
  (ip) => `${ip >>> 24}.${ip & 0xffffff}`,
  (ip) => `${ip >>> 24}.${(ip >>> 16) & 255}.${ip & 0xffff}`,
  (ip) => encodeURI(dotted(ip)).replace(/\d/g, (digit) => `%3${digit}`),
  (ip) => dotted(ip).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  (ip) => dotted(ip).replaceAll('.', '。'),
]
const spellings6: ((ip: bigint) => string)[] = [
  (ip) => groups(ip).join(':'),
  (ip) => groups(ip).join(':').toUpperCase(),
  (ip) =>
    groups(ip)
      .map((group) => group.padStart(4, '0'))
      .join(':'),
  (ip) => `${groups(ip).slice(0, 6).join(':')}:${dotted(Number(ip & 0xffffffffn))}`,
  (ip) => new URL(`https://[${groups(ip).join(':')}]`).hostname.slice(1, -1),
]
/** An IPv4 address inside an IPv6 one; all of these are refused, whatever the address inside. */
const wrappings: ((ip: number) => string)[] = [
  (ip) => `::ffff:${dotted(ip)}`,
  (ip) => `::FFFF:${(ip >>> 16).toString(16)}:${(ip & 0xffff).toString(16)}`,
  (ip) => `::${dotted(ip)}`,
  (ip) => `::ffff:0:${dotted(ip)}`,
  (ip) => `64:ff9b::${dotted(ip)}`,
  (ip) => `64:ff9b:1::${dotted(ip)}`,
  (ip) => `2002:${(ip >>> 16).toString(16)}:${(ip & 0xffff).toString(16)}::1`,
  (ip) => `2001::${dotted(ip)}`,
]

const apply = <A>([ip, spell]: [A, (ip: A) => string]) => spell(ip)
const forbiddenHost = fc.oneof(
  fc.tuple(forbiddenV4, fc.constantFrom(...spellings4)).map(apply),
  fc.tuple(forbiddenV6, fc.constantFrom(...spellings6)).map((pair) => `[${apply(pair)}]`),
  fc.tuple(anyV4, fc.constantFrom(...wrappings)).map((pair) => `[${apply(pair)}]`),
)

test('no address in a forbidden range passes, in any spelling, at subscribe or on connecting', async () => {
  const agent = agentFor(strict)
  const property = fc.asyncProperty(forbiddenHost, async (host) => {
    await refused(`https://${host}/`, 'forbidden_address', /public addresses only/)
    const { error } = await send(agent, `https://${host}/`)
    assert.equal(error, 'forbidden_address')
  })
  await fc.assert(property, { numRuns: depth(500, 3000) })
})

test('a name is refused for one forbidden address among its public ones', async () => {
  const forbidden = fc.oneof(
    forbiddenV4.map(dotted),
    fc.tuple(forbiddenV6, fc.constantFrom(...spellings6)).map(apply),
    fc.tuple(anyV4, fc.constantFrom(...wrappings)).map(apply),
  )
  const property = fc.asyncProperty(forbidden, fc.nat(2), async (address, at) => {
    const addresses = [published, '2606:4700:4700::1111'].toSpliced(at, 0, address)
    const resolve = resolver(...addresses)
    await refused('https://a.test/', 'forbidden_address', /resolves to/, strict, resolve)
    assert.equal(
      (await send(agentFor(strict, resolve), 'https://a.test/')).error,
      'forbidden_address',
    )
  })
  await fc.assert(property, { numRuns: depth(100, 300) })
})

test('public addresses do pass', async () => {
  const v4 = fc
    .tuple(fc.constantFrom(0x01000000, 0x08000000, 0x5d000000, 0xd0000000), fc.nat(0xffffff))
    .map(([first, host]) => dotted(first + host))
  const v6 = fc
    .tuple(
      fc.constantFrom(0x2400n, 0x2606n, 0x2a00n, 0x2c0fn),
      fc.bigInt({ min: 0n, max: (1n << 112n) - 1n }),
    )
    .map(([first, host]) => groups((first << 112n) | host).join(':'))
  await fc.assert(
    fc.asyncProperty(fc.oneof(v4, v6), async (address) => {
      await checkTarget('https://a.test/', strict, { resolve: resolver(address) })
    }),
  )
})

test('a literal loopback address is not connected to, and is once the policy opens it', async () => {
  const { port, connections, requests } = await receiver()
  const http = { ...strict, allowHttp: true }
  const spellings = ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0', 'localhost']
  for (const host of spellings) {
    const { error } = await send(agentFor(http), `http://${host}:${port}/`)
    assert.equal(error, 'forbidden_address', host)
  }
  assert.equal(connections.count, 0)

  for (const policy of [local, { ...http, allowedCidrs: ['127.0.0.0/8'] }]) {
    assert.equal((await send(agentFor(policy), `http://127.0.0.1:${port}/`)).status, 204)
  }
  assert.equal(requests.length, 2)
})

test('http to other addresses than loopback is refused on connecting too', async () => {
  const agent = agentFor(local, resolver(published))
  assert.equal((await send(agent, 'http://a.test/')).error, 'not_https')
})

test('a name that is public at subscribe and local on connecting gains nothing', async () => {
  const { port, connections } = await receiver()
  const answers = [published, '127.0.0.1']
  const rebinding: Resolve = async () => [{ address: answers.shift()!, family: 4 }]

  const http = { ...strict, allowHttp: true }
  const url = await checkTarget(`http://a.test:${port}/`, http, { resolve: rebinding })
  const { error } = await send(agentFor(http, rebinding), url.href)
  assert.equal(error, 'forbidden_address')
  assert.equal(connections.count, 0)
})

test('the address that was checked is the one connected to, by one lookup per connection', async () => {
  const { port, requests, connections } = await receiver()
  // Only this resolver knows the name, so a second lookup anywhere would find nothing.
  const resolve = resolver('127.0.0.1')
  const agent = agentFor(local, resolve)
  for (const path of ['/a?b=c', '/d']) {
    assert.equal((await send(agent, `http://hooks.test:${port}${path}`)).status, 204)
  }
  assert.equal(resolve.calls, connections.count)
  assert.deepEqual(
    requests.map(({ url, headers }) => [url, headers.host]),
    [
      ['/a?b=c', `hooks.test:${port}`],
      ['/d', `hooks.test:${port}`],
    ],
  )
})

test('where one of several addresses does not answer, the next one does', async () => {
  const { port } = await receiver()
  const agent = agentFor(local, resolver('::1', '127.0.0.1'))
  assert.equal((await send(agent, `http://hooks.test:${port}/`)).status, 204)
})

test('redirects are not followed and proxies of the environment not used', async () => {
  const trap = await receiver()
  const proxy = `http://127.0.0.1:${trap.port}`
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
  for (const name of names) process.env[name] = proxy
  process.env.NODE_USE_ENV_PROXY = '1'
  try {
    const redirecting = createServer((_request, response) => {
      response.writeHead(307, { location: `${proxy}/elsewhere` }).end()
    })
    await once(redirecting.listen(0, '127.0.0.1'), 'listening')
    after(() => redirecting.close())
    const { port } = redirecting.address() as AddressInfo
    assert.equal((await send(agentFor(local), `http://127.0.0.1:${port}/`)).status, 307)
    assert.equal(trap.connections.count, 0)
  } finally {
    for (const name of [...names, 'NODE_USE_ENV_PROXY']) delete process.env[name]
  }
})

test('over TLS the certificate is checked against the name, which is sent without its last dot', async () => {
  const names: (string | false | null)[] = []
  const server = createTlsServer({ key, cert })
  server.on('secureConnection', (socket: TLSSocket) => names.push(socket.servername))
  const { port, requests } = await receiver(server as unknown as Server)
  const resolve = resolver('127.0.0.1')

  assert.equal((await send(agentFor(local, resolve), `https://hooks.test:${port}/`)).error, 'tls')

  setDefaultCACertificates([...getCACertificates('default'), cert])
  for (const host of ['hooks.test', 'hooks.test.', '127.0.0.1']) {
    assert.equal((await send(agentFor(local, resolve), `https://${host}:${port}/`)).status, 204)
  }
  assert.deepEqual(names.slice(-3), ['hooks.test', 'hooks.test', false])
  assert.deepEqual(
    requests.map(({ headers }) => headers.host),
    [`hooks.test:${port}`, `hooks.test.:${port}`, `127.0.0.1:${port}`],
  )
  assert.equal((await send(agentFor(local, resolve), `https://other.test:${port}/`)).error, 'tls')
  assert.equal(requests.length, 3)
})

// For these tests only: self-signed for hooks.test and 127.0.0.1, valid until 2124.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtUvEH5Ia45M5lgVw
DIB6WBD1M7uVnpdXTYawhjAtWqyhRANCAARxvhNej2UF4hYb0RIV7YcfhX1r687c
nXvn/VXp6Y9aC8VBFXG/QLaMG+mmQYZrRZgRj4kFfdSxnJ/2SRI9KsW3
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBczCCARqgAwIBAgIBATAKBggqhkjOPQQDAjAaMRgwFgYDVQQDDA9QZXJlbm5p
YWwgdGVzdHMwIBcNMjQwMTAxMDAwMDAwWhgPMjEyNDAxMDEwMDAwMDBaMBoxGDAW
BgNVBAMMD1BlcmVubmlhbCB0ZXN0czBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BHG+E16PZQXiFhvREhXthx+FfWvrztyde+f9Venpj1oLxUEVcb9Atowb6aZBhmtF
mBGPiQV91LGcn/ZJEj0qxbejTzBNMA8GA1UdEwEB/wQFMAMBAf8wGwYDVR0RBBQw
EoIKaG9va3MudGVzdIcEfwAAATAdBgNVHQ4EFgQUQZXSjuSRwwmacH/VNrNSb65j
0q8wCgYIKoZIzj0EAwIDRwAwRAIgMc6ZT9UtWTN/DZLQmjjAnmgC8a8sH5tkVyyv
cByzYKQCICHQS9woIfMf0k9wiZS6zO6B8FksjUVNj/DYORnT+0BU
-----END CERTIFICATE-----`
