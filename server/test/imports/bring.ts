import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestOrganization, TestService } from '../support/service.ts'
import { patient, pause } from '../support/until.ts'

const folder = join(import.meta.dirname, 'files')

/** A file of the folder, with the people and projects of the organization in place of their names. */
export function fileFor(org: TestOrganization, name: string, project = ''): string {
  return readFileSync(join(folder, name), 'utf8')
    .replaceAll('OWNER_NAME', `member of ${org.name}`)
    .replaceAll('OWNER_EMAIL', org.users.member.email)
    .replaceAll('PROJECT_NAME', project)
}

type Answers = { [option: string]: unknown }

/** What an administrator of the organization does with imports. */
export function bringing(service: TestService, org: TestOrganization) {
  const { token } = org.users.admin
  async function call(method: string, path: string, body?: unknown) {
    const reply = await service.call(method, path, { token, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply
  }

  async function ended(id: string) {
    for (const patience = patient(); ;) {
      const { body } = await call('GET', `/api/imports/${id}/`)
      if (!['running', 'undoing'].includes(body.status)) return body
      patience()
      await pause(20)
    }
  }

  /** Uploads a file. */
  async function upload(module: string, csv: string, more: object = {}) {
    return (await call('POST', '/api/imports/', { module, csv, ...more })).body
  }

  /** Starts an import with the suggested answers, or with those given; returns it with its errors. */
  async function start(preview: any, more: Answers = {}) {
    const values = Object.fromEntries(
      preview.value_report.map(({ column, values: all }: any) => [
        column,
        Object.fromEntries(
          all.flatMap(({ value, suggestion }: any) => (suggestion ? [[value, suggestion]] : [])),
        ),
      ]),
    )
    const currencies = Object.fromEntries(
      preview.currency_report.map(({ currency, suggestion }: any) => [
        currency,
        { as: suggestion },
      ]),
    )
    return run(preview.import_id, { values, currencies, ...more })
  }

  /** Starts an import with these answers; returns it with its errors once it has ended. */
  async function run(id: string, answers: Answers = {}) {
    await call('POST', `/api/imports/${id}/start/`, answers)
    const done = await ended(id)
    const errors = await call('GET', `/api/imports/${id}/errors/`)
    return { ...done, errors: errors.body }
  }

  /** Uploads a file and imports it with the suggested mapping and answers. */
  async function bring(module: string, csv: string, more: object = {}, answers: Answers = {}) {
    return start(await upload(module, csv, more), answers)
  }

  async function list(path: string) {
    const sign = path.includes('?') ? '&' : '?'
    return (await call('GET', `${path}${sign}page=1&items_per_page=100`)).body as any[]
  }
  const deals = () => list('/api/project/info/?project_type=deal')
  const contacts = () => list('/api/contact/')
  const companies = () => list('/api/company/')
  const tasks = () => list('/api/tasks/')
  return { call, upload, start, run, bring, list, deals, contacts, companies, tasks }
}
