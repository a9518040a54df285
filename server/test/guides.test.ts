import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from './support/integration.ts'
import { callback, connectApp } from './support/integration.ts'
import type { Block } from './support/guide.ts'
import { blocksOf, guideFolder, interpreters, script } from './support/guide.ts'
import type { Receiver } from './support/receiver.ts'
import { startReceiver } from './support/receiver.ts'
import type { TestOrganization, TestService } from './support/service.ts'
import { makeOrganization, password, startService } from './support/service.ts'

const folder = new URL('../../docs/guide/', import.meta.url)
const languages = ['sh', 'json', 'text', ...Object.keys(interpreters)]

const missing = new Map<string, boolean>()
/** programs that shell blocks call and that are not installed */
const shell = ['bash', 'curl', 'openssl'].filter((program) => !isThere(program))

const pages = globSync('*.md', { cwd: folder })
  .map((name) => String(name))
  // is tested with a browser: journeys/first-hour.test.ts
  .filter((name) => name !== 'first-hour.md')
  .toSorted()

describe('the guides', { skip: shell.length > 0 && `${shell.join(', ')} not on the PATH` }, () => {
  let service: TestService
  let receiver: Receiver

  before(async () => {
    service = await startService({}, undefined, true)
    receiver = await startReceiver()
  })

  for (const name of pages) {
    const blocks = blocksOf(readFileSync(new URL(name, folder), 'utf8'))
    const left = [...new Set(blocks.map(({ language }) => language))].filter(isMissing)
    const note = left.length ? `, but for ${left.join(' and ')}, which is not here` : ''

    test(`${name} does what it says${note}`, async () => {
      for (const { language, line } of blocks) {
        assert.ok(languages.includes(language), `${name}:${line} is of no language`)
      }
      for (const { language, text } of blocks) if (language === 'json') JSON.parse(text)
      const org = await makeOrganization(service)
      const app = await connectApp(service, org, { standard: true })
      for (const full_name of ['Ada Lovelace', 'Grace Hopper', 'Alan Turing']) {
        const primary_email = `${full_name.split(' ')[0]!.toLowerCase()}@lovelace.example`
        const { token } = org.users.admin
        await service.call('POST', '/api/contact/', { token, body: { full_name, primary_email } })
      }
      const env = { ...variables(service, org, app), RECEIVER: `${receiver.url}/${name}` }
      const steps = blocks.filter(({ language, word }) => word !== 'verify' && !isMissing(language))
      await script(name, steps, env)
      const verifiers = blocks.filter(
        ({ language, word }) => word === 'verify' && !isMissing(language),
      )
      if (verifiers.length) await verify(name, verifiers, org, env)
    })
  }

  /** Every verifier accepts a real delivery, and refuses one with a changed byte. */
  async function verify(
    name: string,
    verifiers: Block[],
    org: TestOrganization,
    env: { [name: string]: string },
  ) {
    const secret = JSON.parse(readFileSync(join(env.FOLDER!, 'subscription.json'), 'utf8')).secret
    // another than those that the page itself makes
    const company_name = 'Okafor Foods by the test'
    await service.call('POST', '/api/company/', {
      token: org.users.admin.token,
      body: { company_name },
    })
    const [arrival] = await receiver.arrived(
      1,
      ({ path, json }) =>
        path === `/${name}` && json.data?.company_name === company_name && !json.test,
    )
    const { headers, text } = arrival!
    const received = {
      ...env,
      SECRET: secret as string,
      BODY: text,
      WEBHOOK_ID: String(headers['webhook-id']),
      WEBHOOK_TIMESTAMP: String(headers['webhook-timestamp']),
      WEBHOOK_SIGNATURE: String(headers['webhook-signature']),
    }
    const forged = { ...received, BODY: text.replace('Okafor', 'Okafar') }
    for (const verifier of verifiers) {
      await script(name, [verifier], received)
      await assert.rejects(
        script(name, [verifier], forged),
        `${name}:${verifier.line} takes a forged delivery`,
      )
    }
  }
})

/** The folder of a page: the command line and the SDK are there, as on the machine of its reader. */
function folderOf(service: TestService, org: TestOrganization, app: ConnectedApp): string {
  const folder = guideFolder()
  const { client_id, client_secret, function_key } = app
  const { email } = org.users.admin
  const demo = { organization_id: org.id, name: org.id, email, password }
  const own = { client_id, client_secret, function_key, redirect_uri: callback }
  writeFileSync(
    join(folder, 'demo.json'),
    JSON.stringify({ url: service.url, demos: [{ ...demo, app: own }] }),
  )
  return folder
}

function variables(service: TestService, org: TestOrganization, app: ConnectedApp) {
  return {
    FOLDER: folderOf(service, org, app),
    PERENNIAL: service.url,
    EMAIL: org.users.admin.email,
    PASSWORD: password,
    TOKEN: org.users.admin.token,
    CLIENT_ID: app.client_id,
    CLIENT_SECRET: app.client_secret,
    FUNCTION_KEY: app.function_key,
    ACCESS_TOKEN: app.access_token,
    REDIRECT_URI: callback,
  }
}

/** Whether the program for a language is missing on this machine; in CI that is an error. */
function isMissing(language: string): boolean {
  const [program] = interpreters[language] ?? []
  if (!program) return false
  if (!missing.has(language)) {
    missing.set(language, !isThere(program))
  }
  return missing.get(language) === true
}

function isThere(program: string): boolean {
  // what it answers is no matter: openssl knows no --version
  const { error } = spawnSync(program, ['--version'], { stdio: 'ignore' })
  if (!error) return true
  if (process.env.CI_GUIDES === 'required')
    throw new Error(`CI_GUIDES=required, and ${basename(program)} is not on the PATH`)
  return false
}
