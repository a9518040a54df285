import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingIn } from '../../../server/src/model/forms/translations.ts'
import type { Page } from '../../../server/src/model/forms/form-parts.ts'
import { shipped, startForm } from './start-forms.ts'
import { languages } from './starts.ts'

test('forms that are shipped have each text in each language', () => {
  const codes = languages.map(({ value }) => value).toSorted()
  assert.deepEqual(
    shipped.map(({ start }) => start),
    ['nps', 'csat', 'ces', 'kickoff', 'golive', 'offboarding'],
  )
  for (const { start, languages: known, titles } of shipped) {
    assert.deepEqual([known.toSorted(), titles.toSorted()], [codes, codes])
    const english = JSON.stringify(startForm(start, ['en'])?.form_structure)
    for (const code of codes) {
      const form = startForm(start, [code])
      assert.ok(form?.name, `${start} ${code}`)
      for (const { label, options = [] } of form.form_structure[0]?.fields ?? []) {
        assert.ok(label, `${start} ${code}`)
        for (const option of options) assert.notEqual(option.label, option.value)
      }
      if (code !== 'en') assert.notEqual(JSON.stringify(form.form_structure), english)
    }
  }
  assert.equal(startForm('empty', ['en']), undefined)
})

test('a form in several languages lacks none of their texts', () => {
  const codes = languages.map(({ value }) => value)
  for (const { start } of shipped) {
    const { form_structure, name, translations, language } = startForm(start, codes) ?? {}
    assert.equal(language, 'en')
    const survey = { name, translations, pages: form_structure as Page[] }
    const others = codes.filter((code) => code !== 'en') as ('de' | 'fr')[]
    for (const { count, language: of } of missingIn(survey, others)) {
      assert.equal(count, 0, `${start} ${of}`)
    }
    assert.equal(startForm(start, ['fr'])?.form_structure[0]?.fields[0]?.translations, undefined)
  }
})
