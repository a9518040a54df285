import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { depth } from '../support/depth.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'

// What must hold whatever is done, tried with made-up plans, moves and edits over HTTP.

describe('whatever is done', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown, home = org) =>
    service.call(method, path, { token: home.users.admin.token, body })

  async function make(path: string, body: object, home = org): Promise<string> {
    const reply = await call('POST', path, body, home)
    assert.ok(reply.status < 300, reply.text)
    return reply.headers.get('x-record-id')!
  }

  test('no milestone or task that a template lays out begins or ends on a day off', async () => {
    const offset = fc.integer({ min: 0, max: 25 })
    const duration = fc.integer({ min: 1, max: 8 })
    const task = fc.record({ start_offset_days: offset, duration_days: duration })
    const stage = fc.record({
      start_offset_days: offset,
      duration_days: duration,
      tasks: fc.array(task, { maxLength: 5 }),
    })
    const days = fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 30 })
    const plan = fc.record({
      stages: fc.array(stage, { minLength: 1, maxLength: 4 }),
      days,
      first: fc.integer({ min: 0, max: 60 }),
      isBackwards: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(plan, async ({ stages, days: off, first, isBackwards }) => {
        const home = await makeOrganization(service)
        const holidays = [...new Set(off)].map((day) => ({ name: 'Off', date: dayAt(day) }))
        if (holidays.length) await make('/api/holidays/holinfo/', { country: 'X', holidays }, home)
        const named = stages.map((each, s) => ({
          ...each,
          name: `Stage ${s}`,
          tasks: each.tasks.map((one, t) => ({ ...one, title: `Task ${s} ${t}` })),
        }))
        const template = { template_name: 'Plan', template_config: { stages: named } }
        const template_id = await make('/api/templates/template/', template, home)
        const date = isBackwards ? { due_date: dayAt(first + 60) } : { start_date: dayAt(first) }
        const body = { project_name: 'P', template_id, ...date }
        const project = await make('/api/project/info/', body, home)
        const laid = await rows<{ start_date: string; due_date: string }>(
          service,
          sql`select start_date::text, due_date::text from milestones where project_id = ${project}
            union all select start_date::text, due_date::text from tasks where project_id = ${project}`,
        )
        assert.ok(laid.length >= stages.length)
        const free = new Set(holidays.map((each) => each.date))
        for (const { start_date, due_date } of laid) {
          assert.ok(start_date <= due_date, `${start_date} ${due_date}`)
          for (const day of [start_date, due_date]) {
            const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
            assert.ok(weekday % 6 > 0 && !free.has(day), `${day} is a day off`)
          }
        }
      }),
      { numRuns: depth(4, 12) },
    )
  })

  test('a survey moves as its table says, and a document too', async () => {
    const words = ['draft', 'published', 'closed'] as const
    type Word = (typeof words)[number]
    const step = fc.record({ to: fc.constantFrom(...words), byPut: fc.boolean() })
    const structure = [{ fields: [{ id: 'q', type: 'nps', label: 'How likely?' }] }]
    // nobody has answered, so that all may go back to draft but by their own moves
    const table: { [from in Word]: Word[] } = {
      draft: ['draft', 'published'],
      published: ['draft', 'published', 'closed'],
      closed: ['draft', 'published', 'closed'],
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
        const body = { name: 'Moves', form_structure: structure }
        const id = await make('/api/surveys/', body)
        let now: Word = 'draft'
        for (const { to, byPut } of steps) {
          const path = `/api/surveys/${id}/`
          const move = { published: 'publish/', closed: 'close/', draft: '' }[to]
          const reply: { status: number; text: string } =
            byPut || !move
              ? await call('PUT', path, { status: to })
              : await call('POST', path + move, {})
          const may = table[now].includes(to)
          assert.equal(reply.status, may ? 200 : 409, `${now} to ${to}: ${reply.text}`)
          if (may) now = to
          assert.equal((await call('GET', path)).body.status, now)
        }
      }),
      { numRuns: depth(4, 12) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('draft', 'published')), async (steps) => {
        const id = await make('/api/documents/', { document: { document_name: 'Moves' } })
        let now = 'draft'
        for (const to of steps) {
          const path = `/api/documents/${id}/`
          const reply = await call('PUT', path, { document_status: to })
          const may = now === 'draft' || to === 'published'
          assert.equal(reply.status, may ? 200 : 409, `${now} to ${to}: ${reply.text}`)
          if (may) now = to
          assert.equal((await call('GET', path)).body.document_status, now)
        }
      }),
      { numRuns: depth(4, 8) },
    )
  })

  test('tasks wait for each other in no circle, however many edits come at once', async () => {
    const count = 7
    const at = fc.integer({ min: 0, max: count - 1 })
    const edit = fc.record({ task: at, on: at, isRemoved: fc.boolean() })
    const rounds = fc.array(fc.array(edit, { minLength: 4, maxLength: 12 }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(rounds, async (waves) => {
        const ids = await Promise.all(
          Array.from({ length: count }, (_, i) => make('/api/tasks/', { title: `T${i}` })),
        )
        for (const wave of waves) {
          const replies = await Promise.all(
            wave.map(({ task, on, isRemoved }) => {
              const path = `/api/tasks/${ids[task]}/dependencies/`
              if (isRemoved && task % 3 === 0) return call('DELETE', `${path}${ids[on]}/`)
              return call('POST', path, { predecessor_id: ids[on] })
            }),
          )
          for (const { status, text } of replies) {
            assert.ok([200, 201, 204, 404, 409].includes(status), text)
          }
          const edges = await rows<{ task_id: string; predecessor_id: string }>(
            service,
            sql`select task_id, predecessor_id from task_dependencies where task_id = any(${ids})`,
          )
          assert.ok(hasNoCircle(ids, edges))
        }
      }),
      { numRuns: depth(4, 10) },
    )
  })

  test('a task is completed just when its status says so', async () => {
    const known = await rows<{ status_key: string; category: string }>(
      service,
      sql`select status_key, category from statuses
        where organization_id = ${org.id} and module = 'tasks'`,
    )
    const step = fc.oneof(
      fc.record({ is_completed: fc.boolean() }),
      fc.record({ status: fc.constantFrom(...known.map((each) => each.status_key)) }),
      fc.record({
        status: fc.constantFrom(...known.map((each) => each.status_key)),
        is_completed: fc.boolean(),
      }),
      fc.record({ action: fc.constantFrom('complete', 'reopen') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const id = await make('/api/tasks/', { title: 'Now and then' })
        for (const each of steps) {
          const reply =
            'action' in each
              ? await call('POST', '/api/tasks/bulk_actions/', { item_ids: [id], ...each })
              : await call('PUT', `/api/tasks/${id}/`, each)
          assert.ok([200, 400].includes(reply.status), reply.text)
          const { body } = await call('GET', `/api/tasks/${id}/`)
          assert.equal(body.is_completed, body.status.category === 'completed')
          assert.equal(body.is_completed, body.completed_at !== null)
        }
      }),
      { numRuns: depth(5, 15) },
    )
  })
})

function dayAt(offset: number): string {
  return new Date(Date.UTC(2030, 0, 1 + offset)).toISOString().slice(0, 10)
}

/** Whether each task can be done after those that it waits for. */
function hasNoCircle(ids: string[], edges: { task_id: string; predecessor_id: string }[]) {
  let left = ids
  for (;;) {
    const waiting = left.filter((id) =>
      edges.some((edge) => edge.task_id === id && left.includes(edge.predecessor_id)),
    )
    if (!waiting.length) return true
    if (waiting.length === left.length) return false
    left = waiting
  }
}
