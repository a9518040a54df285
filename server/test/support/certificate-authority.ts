import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atEnd } from './finally.ts'

const run = promisify(execFile)

/** An authority on this machine: OpenSSL, and what its certificates name behind HTTP. */
export type Authority = {
  /** a certificate in a name, and its key, in PEM; `names` if it says where its state can be had */
  issue(name: string, more?: { usage?: string; names?: boolean }): Promise<Issued>
  revoke(issued: Issued): Promise<void>
  /** which of its answers are given; the last that were, by path */
  isDown: { ocsp: boolean; list: boolean }
  /** who signs the answers about states: whom the issuer lets answer, itself, or who may not */
  answeredBy: 'responder' | 'issuer' | 'client' | 'stranger'
  answers: Map<string, Buffer>
}
type Issued = { key: string; certificate: string; file: string }

const configuration = `[ca]
default_ca = here
[here]
dir = .
database = index.txt
new_certs_dir = .
serial = serial
crlnumber = crlnumber
default_md = sha256
default_days = 3
default_crl_days = 2
policy = any
unique_subject = no
[any]
commonName = supplied
`

/** Starts one, "Root", whose certificates are issued by "Between"; closed when the test file is done. */
export async function startAuthority(): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'perennial-ca-'))
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  const at = (name: string) => join(folder, name)
  for (const [name, text] of [
    ['ca.cnf', configuration],
    ['index.txt', ''],
    ['serial', '1000\n'],
    ['crlnumber', '01\n'],
  ] as const) {
    await writeFile(at(name), text)
  }
  const newKey = ['-newkey', 'rsa:2048', '-nodes']
  const selfSigned = (name: string, file: string, ...more: string[]) => {
    const files = ['-keyout', `${file}.key`, '-out', `${file}.pem`]
    return openssl('req', '-x509', ...newKey, '-days', '3', '-subj', name, ...files, ...more)
  }
  await selfSigned('/CN=Root', 'root', '-addext', 'keyUsage=critical,keyCertSign,cRLSign')
  const isDown = { ocsp: false, list: false }
  const answers = new Map<string, Buffer>()
  const authority: Pick<Authority, 'isDown' | 'answers' | 'answeredBy'> = {
    isDown,
    answers,
    answeredBy: 'responder',
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const [path = ''] = (request.url ?? '').split('?')
      const answer = await answerTo(path, Buffer.concat(chunks)).catch(() => undefined)
      if (!answer) return response.writeHead(503).end()
      answers.set(path, answer)
      return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(answer)
    })
  })
  async function answerTo(path: string, query: Buffer): Promise<Buffer | undefined> {
    const by = ['-config', 'ca.cnf', '-keyfile', 'between.key', '-cert', 'between.pem']
    if (path === '/issuer') {
      await openssl('x509', '-in', 'between.pem', '-outform', 'DER', '-out', 'between.der')
      return readFile(at('between.der'))
    }
    if (path === '/list') {
      if (isDown.list) return undefined
      await openssl('ca', '-gencrl', ...by, '-out', 'list.pem')
      await openssl('crl', '-in', 'list.pem', '-outform', 'DER', '-out', 'list.der')
      return readFile(at('list.der'))
    }
    if (isDown.ocsp) return undefined
    await writeFile(at('query'), query)
    const { answeredBy } = authority
    const name = answeredBy === 'issuer' ? 'between' : answeredBy
    const signer = ['-CA', 'between.pem', '-rsigner', `${name}.pem`, '-rkey', `${name}.key`]
    if (answeredBy === 'issuer') signer.push('-resp_no_certs')
    const files = ['-reqin', 'query', '-respout', 'answer', '-index', 'index.txt', '-ndays', '1']
    await openssl('ocsp', ...files, ...signer)
    return readFile(at('answer'))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  let number = 0
  async function sign(name: string, by: string, extensions: string[]): Promise<Issued> {
    const isAuthority = ['Between', 'Responder', 'Client'].includes(name)
    const file = isAuthority ? name.toLowerCase() : `own${++number}`
    await writeFile(at(`${file}.ext`), extensions.join('\n'))
    const request = ['-subj', `/CN=${name}`, '-keyout', `${file}.key`, '-out', `${file}.csr`]
    await openssl('req', '-new', ...newKey, ...request)
    const issuer = ['-keyfile', `${by}.key`, '-cert', `${by}.pem`, '-extfile', `${file}.ext`]
    const files = ['-in', `${file}.csr`, '-out', `${file}.pem`, '-notext']
    await openssl('ca', '-batch', '-config', 'ca.cnf', ...issuer, ...files)
    const [key, certificate] = await Promise.all(
      ['key', 'pem'].map((ending) => readFile(at(`${file}.${ending}`), 'utf8')),
    )
    return { key: key ?? '', certificate: certificate ?? '', file }
  }
  await selfSigned('/CN=Stranger', 'stranger')
  await sign('Between', 'root', [
    'basicConstraints=critical,CA:true',
    'keyUsage=critical,keyCertSign,cRLSign',
  ])
  await sign('Responder', 'between', ['extendedKeyUsage=OCSPSigning', 'noCheck=ignored'])
  await sign('Client', 'between', ['extendedKeyUsage=clientAuth'])

  return Object.assign(authority, {
    issue(name: string, { usage, names = true }: { usage?: string; names?: boolean } = {}) {
      return sign(name, 'between', [
        'basicConstraints=critical,CA:false',
        ...(usage ? [`extendedKeyUsage=critical,${usage}`] : []),
        ...(names
          ? [
              `authorityInfoAccess=OCSP;URI:${url}/ocsp,caIssuers;URI:${url}/issuer`,
              `crlDistributionPoints=URI:${url}/list`,
            ]
          : []),
      ])
    },
    async revoke({ file }: Issued) {
      const by = ['-config', 'ca.cnf', '-keyfile', 'between.key', '-cert', 'between.pem']
      await openssl('ca', '-revoke', `${file}.pem`, ...by)
    },
  })
}
