import assert from 'node:assert/strict'
import { test } from 'node:test'
import { xlsxFile } from './xlsx-file.ts'

const columns = [{ name: 'text', text: (row: string) => row }]
const how = { name: 'rows', timezone: 'UTC' }

/** Many pages, and whether somebody said that no more are needed. */
function source(fails = false) {
  const state = { pages: 0, isClosed: false }
  async function* pages() {
    try {
      for (; state.pages < 2000; state.pages++) {
        if (fails && state.pages === 3) throw new Error('the database went away')
        yield Array.from({ length: 100 }, (_, at) => `${state.pages} ${at} ${Math.random()}`)
      }
    } finally {
      state.isClosed = true
    }
  }
  return { state, pages: pages() }
}

test('a workbook whose reader goes away reads no more rows', async () => {
  const { state, pages } = source()
  for await (const _ of xlsxFile(columns, pages, how)) break
  assert.ok(state.isClosed)
  assert.ok(state.pages < 2000, `${state.pages} pages`)
})

test('a workbook whose rows cannot be read fails', async () => {
  const { state, pages } = source(true)
  await assert.rejects(async () => {
    for await (const _ of xlsxFile(columns, pages, how));
  }, /the database went away/)
  assert.ok(state.isClosed)
})
