import assert from 'node:assert/strict'
import { describe as suite, test } from 'node:test'
import { describe, plainly } from './sentence.ts'
import type { Change } from '../../kit/ground/event.ts'
// the words of module numbers come from the records
import '../../model/all.ts'

suite('a log entry in words', () => {
  const entry = (raw_description: object, changes: Change[] = [], more: object = {}) =>
    describe({
      title: 'Company updated',
      actor_name: 'Ada Admin',
      module_id: 4,
      raw_description: raw_description as { [key: string]: unknown },
      said: plainly(changes),
      description: null,
      html_description: null,
      ...more,
    })
  const updated = (...changes: Change[]) => entry({ action: 'updated' }, changes).description

  test('costs no more for values of megabytes', () => {
    const long = { field: 'text', from: '🙂'.repeat(500_000), to: 'b'.repeat(80) }
    const words = `Ada Admin changed text from ${'🙂'.repeat(80)}… to ${'b'.repeat(80)}`
    assert.equal(updated(long), words)
    const start = process.threadCpuUsage().user
    for (let i = 0; i < 50; i++) updated(long)
    const ms = (process.threadCpuUsage().user - start) / 1000
    assert.ok(ms < 50, `${ms} ms`)
  })

  test('says what was changed, from what and to what', () => {
    const industry = { field: 'industry', from: 'Retail', to: 'Space' }
    assert.equal(updated(industry), 'Ada Admin changed industry from Retail to Space')
    assert.equal(
      entry({ action: 'updated' }, [industry]).html_description,
      '<b>Ada Admin</b> changed <b>industry</b> from <b>Retail</b> to <b>Space</b>',
    )
    assert.equal(
      updated({ field: 'estimated_arr', from: 1, to: 2 }),
      'Ada Admin changed estimated ARR from 1 to 2',
    )
    assert.equal(
      updated({ field: 'is_draft', from: true, to: false }),
      'Ada Admin changed draft from yes to no',
    )
    assert.equal(
      updated({ field: 'custom_fields.tier', from: null, to: 3 }),
      'Ada Admin set tier to 3',
    )
    assert.equal(updated({ field: 'domain', from: 'a.test', to: null }), 'Ada Admin cleared domain')
    assert.equal(
      updated({ field: 'tags', from: ['a'], to: ['a', 'b'] }),
      'Ada Admin changed tags from a to a, b',
    )
    const [from, to] = [
      { user_id: '1', full_name: 'Bo' },
      { user_id: '2', full_name: 'Cy' },
    ]
    assert.equal(
      updated({ field: 'company_owner', from, to }),
      'Ada Admin changed company owner from Bo to Cy',
    )
    assert.equal(
      updated({ field: 'address', from: { city: 'Oslo' }, to: { city: 'Rome' } }),
      'Ada Admin changed address',
    )
    assert.equal(
      updated({ field: 'is_meeting_cancelled', from: false, to: true }),
      'Ada Admin changed meeting cancelled from no to yes',
    )
    const filled = { field: 'permission', from: null, to: { tags: { read: 'all' } } }
    assert.equal(updated(filled), 'Ada Admin changed permission')
    const emptied = { ...filled, from: filled.to, to: null }
    assert.equal(updated(emptied), 'Ada Admin cleared permission')
  })

  test('names three changes and counts the others', () => {
    const change = (field: string) => ({ field, from: 'a', to: 'b' })
    assert.equal(
      updated(change('one'), change('two')),
      'Ada Admin changed one from a to b and changed two from a to b',
    )
    const many = updated(...['one', 'two', 'three', 'four', 'five'].map(change))
    assert.match(many, /three from a to b and 2 more fields$/)
  })

  test('says what else was done, and to what', () => {
    assert.equal(
      entry({ action: 'created', name: 'Acme' }).description,
      'Ada Admin created the company Acme',
    )
    const tag = entry({ action: 'deleted', module: 'tags', name: 'x' }, [], { module_id: null })
    assert.equal(tag.description, 'Ada Admin deleted the tag x')
    assert.equal(entry({ action: 'field_config' }).description, 'Company updated')
    assert.equal(entry({}).description, 'Company updated')
  })

  test('escapes everything in the HTML', () => {
    const evil = '<img src=x onerror=alert(1)>'
    const all = [
      entry({ action: 'updated' }, [{ field: evil, from: evil, to: `${evil}2` }]),
      entry({ action: 'created', name: evil }),
      entry({}, [], { title: evil }),
      entry({}, [], { description: evil }),
      entry({ action: 'deleted' }, [], { actor_name: evil }),
    ]
    for (const { html_description } of all) {
      assert.ok(html_description.includes('&lt;img'))
      assert.ok(!html_description.includes('<img'), html_description)
    }
  })

  test('is what was written, if somebody wrote it', () => {
    const written = { description: 'Called <Ada>\nagain', html_description: null }
    assert.deepEqual(entry({ action: 'created' }, [], written), {
      description: 'Called <Ada>\nagain',
      html_description: 'Called &lt;Ada&gt;<br>again',
    })
  })
})
