import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventKind, eventNames, isEventName, scopesFor } from './catalogue.ts'

// The contract's own sentences, section 6, so that the table cannot drift from them.
const contract = `
  company: created, updated, deleted, merged
  contact: created, updated, deleted, merged
  deal: created, updated, stage_changed, won, lost, deleted
  project: created, updated, status_changed, completed, deleted
  milestone: created, updated, completed, deleted
  task: created, updated, assigned, status_changed, completed, overdue, deleted
  template: created, updated
  user: created, updated, deactivated
  survey: published, closed, response_submitted
  document: created, updated, deleted, published, signature_requested, signed, declined
  meeting: scheduled, updated, rescheduled, cancelled
  interaction: created
  account: created, updated, deleted`

test('the catalogue holds the events of the contract and no others', () => {
  const named = contract
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [resource, verbs] = line.trim().split(': ')
      return verbs!.split(', ').map((verb) => `${resource}_${verb}`)
    })
  assert.deepEqual(eventNames, named)
})

test('an event needs the read scope of its own resource', () => {
  for (const event of eventNames) {
    const resource = event.split('_')[0]!
    const shared = resource === 'task' || resource === 'milestone'
    // a company and its account are one customer
    const ofCustomers = resource === 'account'
    assert.deepEqual(
      scopesFor(event),
      shared ? ['project.read', 'deal.read'] : [`${ofCustomers ? 'company' : resource}.read`],
    )
  }
})

test('every event says in a sentence of its own what happened', () => {
  const summaries = eventNames.map((event) => eventKind(event).summary)
  assert.equal(new Set(summaries).size, eventNames.length)
})

test('only names of the catalogue are event names', () => {
  assert.ok(isEventName('company_created'))
  for (const name of ['company_exploded', 'Company_created', '', 'constructor', '__proto__']) {
    assert.ok(!isEventName(name), name)
  }
})
