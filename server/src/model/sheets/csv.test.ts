import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Failure } from '../../kit/ground/errors.ts'
import { readCsv } from './csv.ts'

const mebibyte = 1024 * 1024
const how = { delimiter: ',', encoding: 'utf-8' }

async function* repeated(text: string, times: number, ends?: () => void) {
  for (let n = 0; n < times; n++) yield Buffer.from(text)
  ends?.()
}

test('a row of empty cells is refused as soon as it is longer than a row may be', async () => {
  let isReadWhole = false
  const commas = repeated(','.repeat(mebibyte), 8, () => (isReadWhole = true))
  await assert.rejects(
    async () => {
      for await (const _ of readCsv(Readable.from(commas), how));
    },
    (error) =>
      error instanceof Failure && error.message.includes('a row of more than 1 MiB near line 1'),
  )
  assert.ok(!isReadWhole)
})

test('many empty lines, and rows that are long together, are read', async () => {
  const cells = 'a' + ','.repeat(99_999)
  for (const [text, expected] of [
    ['\n'.repeat(mebibyte) + 'a\n', 3],
    [`${cells}\n`.repeat(8), 24],
  ] as const) {
    let rows = 0
    for await (const _ of readCsv(Readable.from(repeated(text, 3)), how)) rows++
    assert.equal(rows, expected)
  }
})
