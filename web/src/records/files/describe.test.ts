import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileSize, kindOf } from './describe.ts'

describe('a file', () => {
  test('has a size in few digits', () => {
    assert.deepEqual(
      [0, 999, 1000, 12_345, 3_400_000, 52_428_800].map((bytes) => fileSize(bytes, 'en')),
      ['0 bytes', '999 bytes', '1 kB', '12 kB', '3.4 MB', '52 MB'],
    )
  })

  test('is of a kind by its type or name', () => {
    const kind = (file_name: string | null, file_type: string | null = null) =>
      kindOf({ file_name, file_type })
    assert.equal(kind('a.png', 'image/png'), 'image')
    assert.equal(kind('list.XLSX', 'application/octet-stream'), 'table')
    assert.equal(kind('plan.pdf', 'application/pdf'), 'text')
    assert.equal(kind(null), 'text')
    assert.equal(kind('a.zip', 'application/zip'), 'file')
  })
})
