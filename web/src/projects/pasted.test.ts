import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf } from './pasted.ts'

const read = (text: string) => linesOf(text).map(({ title, depth }) => `${depth} ${title}`)

test('pasted lines are titles, with their depths by tabs, spaces or numbers', () => {
  assert.deepEqual(read('Kick-off\r\n\tInvite\n\t\tWrite the mail\n\nData\n'), [
    '0 Kick-off',
    '1 Invite',
    '2 Write the mail',
    '0 Data',
  ])
  assert.deepEqual(read('  - Kick-off\n    * Invite\n          • far\n'), [
    '0 Kick-off',
    '1 Invite',
    '2 far',
  ])
  assert.deepEqual(read('1. Kick-off\n1.1 Invite\n1.1.1 Write\n2) Data'), [
    '0 Kick-off',
    '1 Invite',
    '2 Write',
    '0 Data',
  ])
})

test('columns behind the first, and what is more than can be pasted, are left out', () => {
  assert.deepEqual(read('Export\tMaëlle\tNov 20\n3D plan'), ['0 Export', '0 3D plan'])
  assert.equal(linesOf('line\n'.repeat(600)).length, 500)
})
