import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesIn } from './lines.ts'

test('people are read from a list without columns, however they are written', () => {
  const { lines, unused } = linesIn(
    'Ada Byron <ada@a.test>\nbob@b.test\n\n"Zoe, née Q", zoe@z.test\nodd',
  )
  assert.deepEqual(unused, [])
  assert.deepEqual(lines, [
    { name: 'Ada Byron', email: 'ada@a.test' },
    { email: 'bob@b.test' },
    { name: 'Zoe, née Q', email: 'zoe@z.test' },
    { email: 'odd' },
  ])
  assert.deepEqual(linesIn('Ada\tada@a.test\r\nBob\tbob@b.test\r\n').lines, [
    { name: 'Ada', email: 'ada@a.test' },
    { name: 'Bob', email: 'bob@b.test' },
  ])
})

test('columns are taken by their names: people, roles and placeholders', () => {
  const text = [
    '\uFEFFE-Mail;Name;Buyer;Witness name;Witness e-mail;account.account_name;{{today}};Notes',
    'ada@a.test;Ada;Bo <bo@b.test>;Will;w@w.test;"Clairval ""Santé""; SA";soon;x',
    'eve@e.test;;;;;;;',
  ].join('\n')
  const { lines, unused } = linesIn(text, ['Buyer', 'Witness'])
  assert.deepEqual(unused, ['Notes'])
  assert.deepEqual(lines, [
    {
      email: 'ada@a.test',
      name: 'Ada',
      roles: {
        Buyer: { name: 'Bo', email: 'bo@b.test' },
        Witness: { name: 'Will', email: 'w@w.test' },
      },
      values: { 'account.account_name': 'Clairval "Santé"; SA', today: 'soon' },
    },
    { email: 'eve@e.test' },
  ])
})

test('nothing is nobody', () => {
  assert.deepEqual(linesIn('  \n'), { lines: [], unused: [] })
  assert.deepEqual(linesIn('Name, E-mail'), { lines: [], unused: [] })
})
