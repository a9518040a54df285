import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { atEnd } from './finally.ts'

const run = promisify(execFile)

/** A time stamp service on this machine: OpenSSL behind HTTP. While `isDown` is true it answers 503. */
export type TimestampService = { url: string; isDown: boolean; asked: number }

const configuration = `[tsa]
default_tsa = here
[here]
serial = serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ordering = no
tsa_name = no
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`

/** Starts one, whose name is "Clock", or with a certificate of others; closed when the test file is done. */
export async function startTimestampService(own?: {
  key: string
  certificate: string
}): Promise<TimestampService> {
  const folder = await mkdtemp(join(tmpdir(), 'perennial-tsa-'))
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  const usage = ['-addext', 'extendedKeyUsage=critical,timeStamping']
  const names = ['-subj', '/CN=Clock', '-keyout', 'key.pem', '-out', 'own.pem']
  if (own) {
    await writeFile(join(folder, 'key.pem'), own.key)
    await writeFile(join(folder, 'own.pem'), own.certificate)
  } else {
    await openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names, ...usage)
  }
  await writeFile(join(folder, 'tsa.cnf'), configuration)
  await writeFile(join(folder, 'serial'), '01\n')
  const service: TimestampService = { url: '', isDown: false, asked: 0 }
  const signer = ['-signer', 'own.pem', '-inkey', 'key.pem']
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      service.asked += 1
      if (service.isDown) return response.writeHead(503).end()
      await writeFile(join(folder, 'query'), Buffer.concat(chunks))
      await openssl(
        'ts',
        '-reply',
        '-config',
        'tsa.cnf',
        '-queryfile',
        'query',
        ...signer,
        '-out',
        'answer',
      )
      const answer = await readFile(join(folder, 'answer'))
      return response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true, force: true })
  })
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`
  return service
}
