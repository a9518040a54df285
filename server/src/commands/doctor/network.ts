import { createConnection, createServer, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Config, isLoopback } from '../../config.ts'
import { filesFrom } from '../../files/open.ts'
import type { Finding } from './finding.ts'

/** Whether the port can be listened on, and PUBLIC_URL leads to the service. */
export async function address(config: Config): Promise<Finding[]> {
  const { host, port, publicUrl } = config
  const findings: Finding[] = []
  const free = await isFree(host, port)
  const local = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const isOurs = free === 'EADDRINUSE' && (await answers(local)) === 'alive'
  if (free === true) findings.push({ check: 'port', state: 'ok', seen: `${port} is free` })
  else if (isOurs) {
    findings.push({ check: 'port', state: 'ok', seen: `the service listens on ${port}` })
  } else {
    const seen = `${host}:${port} cannot be listened on (${free})`
    findings.push({
      check: 'port',
      state: 'fail',
      seen,
      advice: 'set PORT or HOST, or stop what is there',
    })
  }
  const check = 'public URL'
  const { hostname, protocol } = new URL(publicUrl)
  if (!isLoopback(host) && isLoopback(hostname)) {
    const advice = 'set PUBLIC_URL to the address that callers use'
    findings.push({ check, state: 'warn', seen: `${publicUrl}, while HOST is ${host}`, advice })
  } else if (protocol === 'http:' && !isLoopback(hostname)) {
    const advice = 'put TLS in front, and set PUBLIC_URL to https://…'
    findings.push({ check, state: 'warn', seen: `${publicUrl} is not encrypted`, advice })
  } else if (!isOurs) findings.push({ check, state: 'ok', seen: `${publicUrl}, not running now` })
  else {
    const seen = await answers(publicUrl)
    const isGood = seen === 'alive'
    const advice = 'make this address lead to the service'
    findings.push(
      isGood
        ? { check, state: 'ok', seen: `${publicUrl} leads to the service` }
        : { check, state: 'warn', seen: `${publicUrl} answers ${seen}`, advice },
    )
  }
  return findings
}

/** True, or the error code of listening. */
function isFree(host: string, port: number): Promise<true | string> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })
}

/** The answer of `/livez` under the URL, or the error. */
async function answers(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(5000) })
    if (!response.ok) return `status ${response.status}`
    return ((await response.json()) as { status?: string }).status ?? 'something else'
  } catch (error) {
    const { cause, message } = error as Error
    return (cause as NodeJS.ErrnoException)?.code ?? message
  }
}

/** Whether the mail server of SMTP_URL greets. */
export async function mail({ smtpUrl }: Config): Promise<Finding> {
  const check = 'mail'
  if (!smtpUrl) {
    return {
      check,
      state: 'ok',
      seen: 'no SMTP_URL: mails are stored in the data folder, in outbox/',
    }
  }
  const { hostname, port, protocol } = new URL(smtpUrl)
  const isTls = protocol === 'smtps:'
  const target = { host: hostname, port: Number(port) || (isTls ? 465 : 587) }
  const place = `${target.host}:${target.port}`
  const said = await greeting(target, isTls)
  if (said.startsWith('220')) return { check, state: 'ok', seen: `${place} greets` }
  return { check, state: 'fail', seen: `${place}: ${said}`, advice: 'correct SMTP_URL' }
}

/** Whether the bucket of S3_BUCKET answers; the data folder has its own check. */
export async function files(config: Config): Promise<Finding> {
  const check = 'files'
  const { s3 } = config
  if (!s3) return { check, state: 'ok', seen: 'no S3_BUCKET: files are stored in the data folder' }
  try {
    await filesFrom(config).check()
    return { check, state: 'ok', seen: `the bucket ${s3.bucket} answers` }
  } catch (error) {
    const cause = (error as Error).cause ?? error
    const { name, message } = cause as Error
    const advice = 'correct S3_BUCKET, S3_ENDPOINT and the keys, or what they may do'
    return { check, state: 'fail', seen: `${s3.bucket}: ${message || name}`, advice }
  }
}

/** The first line of a mail server, or the error. */
function greeting(target: { host: string; port: number }, isTls: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = isTls
      ? // an address is no name of a server (RFC 6066)
        connectTls({ ...target, ...(isIP(target.host) ? {} : { servername: target.host }) })
      : createConnection(target)
    const end = (text: string) => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(5000, () => end('no answer within 5 s'))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    socket.once('data', (data: Buffer) => end(data.toString().split('\r\n')[0]!.slice(0, 100)))
  })
}
