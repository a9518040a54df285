import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refused } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { pause, patient } from '../../../test/support/until.ts'

describe('a person whose data were erased', () => {
  let service: TestService
  let org: TestOrganization
  let user: string
  let contact: string
  let merged: string
  let merge: string

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { token: org.users.admin.token, body })
  const done = async (method: string, path: string, body?: unknown) => {
    const reply = await call(method, path, body)
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }
  const erase = async (body: object) => {
    const { body: begun } = await done('POST', '/api/organization/personal-data/erase/', body)
    const patience = patient()
    for (;;) {
      const path = `/api/organization/personal-data/${begun.request_id}/`
      const { body: request } = await done('GET', path)
      if (request.status === 'completed') return
      patience()
      await pause(100)
    }
  }

  before(async () => {
    service = await startService({}, undefined, true)
    org = await makeOrganization(service)
    user = org.users.observer.user_id
    const make = async (path: string, body: object) =>
      (await done('POST', path, body)).headers.get('x-record-id')!
    const primary = await make('/api/contact/', { full_name: 'Stays Here' })
    contact = await make('/api/contact/', { full_name: 'Quentin Goes' })
    merged = await make('/api/contact/', { full_name: 'Merla Before' })
    const body = { primary_id: primary, merge_ids: [merged] }
    merge = (await done('POST', '/api/contact/merge/', body)).body.merge_id
    // one that was deleted before is erased too
    await done('DELETE', `/api/contact/${contact}/`)
    await erase({ contact_id: contact, confirm: 'Quentin Goes' })
    await erase({ contact_id: merged, confirm: 'Merla Before' })
    await erase({ user_id: user, confirm: org.users.observer.email })
  })

  test('is not restored: 409 says why', async () => {
    for (const path of [
      `/api/contact/${contact}/restore/`,
      `/api/users/profile/${user}/restore/`,
    ]) {
      const reply = await call('POST', path)
      refused(reply, 409)
      assert.equal(reply.body.code, 'erased')
      assert.match(reply.body.message, /were erased: it cannot be restored/)
    }
  })

  test('is not brought back by undoing a merge', async () => {
    const reply = await call('POST', `/api/contact/merge/${merge}/undo/`)
    // what a merge stored of the person is gone, too
    refused(reply, 404)
  })

  test('is not listed among what may be restored', async () => {
    const deleted = await done('GET', '/api/contact/?page=1&items_per_page=50&deleted=true')
    assert.deepEqual(deleted.body, [])
    const people = await done('GET', '/api/users/profile/?page=1&items_per_page=50&deleted=true')
    assert.deepEqual(people.body, [])
  })

  test('and others are restored as before', async () => {
    const made = await done('POST', '/api/contact/', { full_name: 'Comes Back' })
    const path = `/api/contact/${made.headers.get('x-record-id')}/`
    await done('DELETE', path)
    await done('POST', `${path}restore/`)
  })
})
