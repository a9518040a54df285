import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { membersOf, withMembers } from './members.ts'

test('the members of an object are found in its text as it is', () => {
  const text = `{"a": 1.50 , "b":"x\\"},{\\\\","c":{"d":[1,{"a":2}]},"__proto__":null,"10":[ ],"2":"é"}`
  const values = membersOf(text).map(({ name, start, end }) => [name, text.slice(start, end)])
  assert.deepEqual(values, [
    ['a', '1.50'],
    ['b', '"x\\"},{\\\\"'],
    ['c', '{"d":[1,{"a":2}]}'],
    ['__proto__', 'null'],
    ['10', '[ ]'],
    ['2', '"é"'],
  ])
  assert.deepEqual(membersOf('{}'), [])
  assert.deepEqual(membersOf(' { } '), [])
})

test('replacing members leaves every other byte', () => {
  assert.equal(
    withMembers(
      '{"a": 1.50, "b":[1,2],"c":null}',
      new Map([
        ['b', '[]'],
        ['x', '1'],
      ]),
    ),
    '{"a": 1.50, "b":[],"c":null}',
  )
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(2), (object, indent) => {
      const text = JSON.stringify(object, null, indent)
      const known = JSON.parse(text) as { [name: string]: unknown }
      const members = membersOf(text)
      assert.deepEqual(
        members.map(({ name }) => name),
        Object.keys(known),
      )
      for (const { name, start, end } of members) {
        const own = Object.getOwnPropertyDescriptor(known, name)
        assert.deepEqual(JSON.parse(text.slice(start, end)), own?.value)
      }
      const [first] = members
      if (!first) return
      const changed = withMembers(text, new Map([[first.name, '"other"']]))
      const rest = text.slice(first.end)
      assert.equal(changed, `${text.slice(0, first.start)}"other"${rest}`)
    }),
  )
})
