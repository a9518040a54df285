import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

// Pages that point to code must not point to what has moved.

const places = ['', 'server/', 'server/src/', 'server/src/kit/', 'server/test/']

const pages = [...globSync(['docs/**/*.md', 'bench/results/*.md']), 'CONTRIBUTING.md', 'README.md']

test('every source file that the pages name exists', () => {
  const missing: string[] = []
  for (const page of pages) {
    for (const [, name = ''] of readFileSync(page, 'utf8').matchAll(/`([\w./-]+\/[\w.-]+\.ts)`/g)) {
      if (!places.some((place) => existsSync(place + name))) missing.push(`${page}: ${name}`)
    }
  }
  assert.deepEqual(missing, [])
})

test('every file that the pages link to exists', () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#|\/)([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('a row of the contract is short, and has as many cells as the head of its table', () => {
  const wrong = globSync('docs/contract/*.md').flatMap((page) => {
    const rows = readFileSync(page, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('|'))
    const cellsOf = (row: string) => row.split(/(?<!\\)\|/).length
    return rows
      .filter((row) => row.length > 300 || cellsOf(row) !== cellsOf(rows[0]!))
      .map((row) => `${page}: ${row.slice(0, 60)}`)
  })
  assert.deepEqual(wrong, [])
})
