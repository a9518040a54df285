import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowness } from '../../../../test/support/speed.ts'
import type { Answers, FormField, Page } from '../../forms/form-parts.ts'
import { checkAnswers } from './answers.ts'

// Whoever answers chooses how much is compared: each takes seconds where it is by the square of it.

const many = Array.from({ length: 10_000 }, (_, n) => `word ${n}`)
const options = many.map((value) => ({ value, label: value }))

test('an answer of many choices is compared with as many options within milliseconds', () => {
  assert.ok(msOf([question('multi-select', { options })], { q: many.toReversed() }) < 200)
})

test('many conditions on an answer of many choices are checked within milliseconds', () => {
  const show_if = [{ field_id: 'q', operator: 'contains', value: 'none' } as const]
  const others = many.map((id) => ({ ...question('short-text', { show_if }), id }))
  assert.ok(msOf([question('multi-select', { options }), ...others], { q: many }) < 200)
})

test('answers to questions that there are not are found among many within milliseconds', () => {
  const questions = many.map((id) => ({ ...question('short-text'), id }))
  const answers = Object.fromEntries(many.map((id) => [`no ${id}`, 'x']))
  assert.ok(msOf(questions, answers) < 200)
})

function question(type: FormField['type'], more: Partial<FormField> = {}): FormField {
  return { id: 'q', type, label: 'Q', ...more }
}

/** Milliseconds of a processor, by what the machine manages now. */
function msOf(fields: FormField[], answers: Answers): number {
  const pages: Page[] = [{ id: 'p', title: '', fields }]
  const start = process.threadCpuUsage()
  try {
    checkAnswers(pages, answers, true)
  } catch (error) {
    assert.match((error as Error).message, /is not a question/)
  }
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000 / slowness()
}
