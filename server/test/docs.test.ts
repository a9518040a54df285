import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

// Pages that point to code must not point to what has moved.

const places = ['', 'server/', 'server/src/', 'server/src/kit/', 'server/test/']

test('every source file that the pages name exists', () => {
  const missing: string[] = []
  for (const page of [...globSync('docs/**/*.md'), 'CONTRIBUTING.md', 'README.md']) {
    for (const [, name = ''] of readFileSync(page, 'utf8').matchAll(/`([\w./-]+\/[\w.-]+\.ts)`/g)) {
      if (!places.some((place) => existsSync(place + name))) missing.push(`${page}: ${name}`)
    }
  }
  assert.deepEqual(missing, [])
})
