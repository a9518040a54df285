import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelOf, personIn } from './linked.ts'

test('what names a user but has no name, as the sign-in of a contact, is no person, and is shown by its e-mail', () => {
  const sign_in = { user_id: '03h', email: 'annegret@feldkirchner.example', is_active: true }
  assert.equal(personIn(sign_in), undefined)
  assert.equal(labelOf(sign_in), 'annegret@feldkirchner.example')
  const person = { user_id: '03h', full_name: 'Annegret Böhm', profile_image: null }
  assert.equal(personIn(person), person)
})

test('a value without a name is shown by all that it holds', () => {
  assert.equal(labelOf({ city: 'Hamburg', country: 'Germany' }), 'Hamburg, Germany')
  assert.equal(labelOf('shared'), 'shared')
})
