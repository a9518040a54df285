import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { launchBrowser, noBrowser } from '../support/browser.ts'
import { freshDatabase } from '../support/database.ts'
import { atEnd } from '../support/finally.ts'
import { blocksOf, guideFolder, script } from '../support/guide.ts'
import { runProgram, startServer } from '../support/program.ts'
import { secretKey } from '../support/service.ts'

const page = new URL('../../../docs/guide/first-hour.md', import.meta.url)

const missing = ['bash', 'curl', 'openssl'].filter((name) => spawnSync(name, ['--version']).error)
const skip = noBrowser() || (missing.length > 0 && `${missing.join(', ')} not on the PATH`)

// An author of a connector who does what the page says, and nothing else.
test('a connector’s first hour, by the page alone', { skip }, async () => {
  const { url: DATABASE_URL } = await freshDatabase()
  const own = { DATABASE_URL, SECRET_KEY: secretKey }
  const FOLDER = guideFolder(own)
  const installation = { ...own, DATA_DIR: FOLDER }
  const server = await startServer(installation)
  for (const args of [
    ['org', 'create', 'Acme'],
    [
      'user',
      'create',
      '--email',
      'ada@acme.test',
      '--role',
      'admin',
      '--password',
      'first hour ada',
    ],
  ]) {
    const made = await runProgram(args, installation)
    assert.equal(made.status, 0, made.err)
  }
  const REDIRECT_URI = await someService()
  const env = { FOLDER, PERENNIAL: server.url, REDIRECT_URI }

  const blocks = blocksOf(readFileSync(page, 'utf8'))
  const at = blocks.findIndex(({ word }) => word === 'browser') + 1
  assert.ok(at > 0, 'a block ends with the address for the browser')
  // what the terminal knows when its reader turns to the browser, it knows afterwards
  const keep = {
    language: 'sh',
    word: '',
    text: 'declare -fp > known.sh; export -p >> known.sh\n',
    line: 0,
  }
  const printed = await script('first-hour.md', [...blocks.slice(0, at), keep], env)

  const LOCATION = await consent(printed.trim().split('\n').at(-1) ?? '', REDIRECT_URI)
  const known = { language: 'sh', word: '', text: '. ./known.sh\n', line: 0 }
  await script('first-hour.md', [known, ...blocks.slice(at)], { ...env, LOCATION })

  const verified = readFileSync(join(FOLDER, 'verified.txt'), 'utf8').trim().split('\n')
  assert.equal(verified.length, 1, 'the delivery, and not what was forged')
  assert.equal(JSON.parse(verified[0]!).data.domain, 'okafor.example')
})

/** Signs in and approves in a browser; the address at which it ends up. */
async function consent(address: string, redirect_uri: string): Promise<string> {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  await page.goto(address)
  await page.getByLabel('E-mail').fill('ada@acme.test')
  await page.getByLabel('Password').fill('first hour ada')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: /First hour/ }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL((url) => url.href.startsWith(redirect_uri))
  return page.url()
}

/** The author's own service, where the browser comes back to. */
async function someService(): Promise<string> {
  const own = createServer((_request, response) => response.end('welcome back'))
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
  atEnd(async () => void own.close())
  return `http://127.0.0.1:${(own.address() as AddressInfo).port}/callback`
}
