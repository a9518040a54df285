import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formPages, shipped } from './start-forms.ts'
import { languages } from './starts.ts'

test('forms that are shipped have each text in each language', () => {
  const codes = languages.map(({ value }) => value).toSorted()
  assert.deepEqual(
    shipped.map(({ start }) => start),
    ['nps', 'csat', 'ces', 'kickoff', 'golive', 'offboarding'],
  )
  for (const { start, languages: known } of shipped) {
    assert.deepEqual(known.toSorted(), codes)
    const english = JSON.stringify(formPages(start, 'en'))
    for (const code of codes) {
      const [page] = formPages(start, code) ?? []
      for (const { label, options = [] } of page?.fields ?? []) {
        assert.ok(label, `${start} ${code}`)
        for (const option of options) assert.notEqual(option.label, option.value)
      }
      if (code !== 'en') assert.notEqual(JSON.stringify([page]), english)
    }
  }
  assert.equal(formPages('empty', 'en'), undefined)
})
