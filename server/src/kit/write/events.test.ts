import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { asService } from '../../../test/support/contexts.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import type { NewEvent } from '../ground/event.ts'

describe('events that notify somebody', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  /** What a write wakes that emits such an event, in this order. */
  async function woken(emit: 'emit' | 'emitMany'): Promise<string[]> {
    const { user_id } = org.users.member
    const notify: NewEvent['notify'] = [{ user_id, notification_type: 1, title: 'Mentioned' }]
    const event = { type: null, title: 'Written', module_id: 4, reference_id: null, notify }
    const found: string[] = []
    service.runtime.wakeJobs = () => found.push('jobs')
    service.runtime.services.streams.notified = (_organization, users) => found.push(...users)
    await asService(service, { id: org.id, name: 'Org' }, async (ctx) => {
      if (emit === 'emit') ctx.emit(event)
      else ctx.emitMany([event])
    })
    return found
  }

  for (const emit of ['emit', 'emitMany'] as const) {
    test(`wake jobs and the streams of the notified after the commit: ${emit}`, async () => {
      assert.deepEqual(await woken(emit), ['jobs', org.users.member.user_id])
    })
  }
})
