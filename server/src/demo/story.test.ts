import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesIn } from './step.ts'
import { makeStory } from './story.ts'

const now = new Date('2026-03-18T15:00:00Z')
const stories = Array.from({ length: 30 }, (_each, number) => makeStory(number, now))

test('the same seed results in the same story, another seed in another', () => {
  assert.deepEqual(makeStory(3, now), makeStory(3, now))
  assert.notDeepEqual(makeStory(3, now).steps, makeStory(4, now).steps)
  assert.equal(new Set(stories.slice(0, 12).map(({ name }) => name)).size, 12)
})

test('a story has hundreds of records and changes by several people', () => {
  for (const { steps } of stories) {
    const made = steps.filter(({ does }) => does.startsWith('create '))
    assert.ok(made.length >= 300, `${made.length} records`)
    assert.ok(steps.length - made.length >= 100, `${steps.length - made.length} changes`)
    assert.ok(new Set(steps.map(({ by }) => by)).size >= 5)
  }
})

test('steps come in the order of time, within the last 200 days and before now', () => {
  for (const { steps } of stories) {
    const times = steps.map(({ at }) => +at)
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
    assert.ok(times[0]! > +now - 205 * 86_400_000)
    assert.ok(times.at(-1)! < +now)
  }
})

test('nothing is named or changed before it is made, and nothing is made twice', () => {
  for (const { steps, people } of stories) {
    const parts = new Set(people.map(({ part }) => part))
    const made = new Set(parts)
    for (const { does, key, body } of steps) {
      const isMaking = /^(create|convert|comment)/.test(does)
      const [whole] = key.split(': ')
      if (key) assert.equal(made.has(whole!), !isMaking, `${does} ${key}`)
      for (const name of namesIn(body)) assert.ok(made.has(name), `${key} names ${name}`)
      made.add(key)
    }
  }
})

test('addresses are of domains that nobody can have, and unique', () => {
  for (const { steps, people } of stories) {
    const emails = steps.flatMap(({ body, does }) =>
      does === 'create contact' ? [String(body.primary_email)] : [],
    )
    const domains = steps.flatMap(({ body }) => (body.domain ? [String(body.domain)] : []))
    for (const list of [emails, domains, people.map(({ email }) => email)]) {
      assert.equal(new Set(list).size, list.length)
      for (const address of list) assert.match(address, /^[a-z0-9@.-]+\.example$/)
    }
  }
})

test('somebody of every built-in role is there, and one administrator', () => {
  for (const { people } of stories) {
    const roles = people.map(({ role }) => role)
    assert.equal(new Set(roles).size, 6)
    assert.equal(roles.filter((role) => role === 'admin').length, 1)
  }
})

test('a requested name is used', () => {
  const { name, people } = makeStory(0, now, 'Ægir & Søn')
  assert.equal(name, 'Ægir & Søn')
  assert.match(people[0]!.email, /^admin@[a-z0-9-]+\.example$/)
})

test('whatever the weekday, the story keeps its order and its dates are relative to today', () => {
  const days = Array.from({ length: 7 }, (_each, i) => new Date(+now + i * 86_400_000))
  for (const today of days) {
    const { steps } = makeStory(0, today)
    const answers = steps.filter(({ does }) => does === 'answer invitation')
    assert.ok(answers.length > 5)
    for (const { key, at } of answers) {
      const meeting = steps.find((step) => step.does === 'create meeting' && step.key === key)
      assert.ok(at < new Date(String(meeting!.body.end)), `${key} on ${today.toISOString()}`)
    }
    for (const { body, does, key } of steps) {
      const text = JSON.stringify(body)
      for (const [year] of text.matchAll(/\b20\d\d(?=-\d\d-\d\d)/g)) {
        assert.ok(Math.abs(Number(year) - today.getUTCFullYear()) <= 1, `${does} ${key}: ${text}`)
      }
    }
  }
})
