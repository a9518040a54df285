import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from './field-types.ts'

test('a label gives a key that the API takes', () => {
  assert.equal(keyOf('Renewal date', []), 'renewal_date')
  assert.equal(keyOf('  Größe (m²) ', []), 'gro_e_m2')
  assert.equal(keyOf('2nd contact', []), 'nd_contact')
  assert.equal(keyOf('合同', []), 'field')
  for (const label of ['Renewal date', '2nd', '合同', '!', 'É'.repeat(300)]) {
    assert.match(keyOf(label, []), /^[A-Za-z][A-Za-z0-9_]{0,99}$/)
  }
})

test('a key that is taken is numbered', () => {
  assert.equal(keyOf('Plan', ['plan', 'plan_2']), 'plan_3')
})
