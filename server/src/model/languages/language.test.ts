import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MessageKey } from './language.ts'
import { acceptedLanguage, catalogues, languageOf, languages, voiceOf } from './language.ts'

const placeholders = (text: string) =>
  [...new Set(text.match(/\{\w+\}/g))].toSorted((a, b) => (a < b ? -1 : 1))

describe('the languages', () => {
  const keys = Object.keys(catalogues.en) as MessageKey[]

  for (const language of languages) {
    test(`${language} has every message with the same placeholders`, () => {
      const messages = catalogues[language]
      assert.deepEqual(Object.keys(messages), keys)
      for (const key of keys) {
        assert.ok(messages[key].trim(), key)
        for (const form of messages[key].split(' | ')) {
          assert.deepEqual(placeholders(form), placeholders(catalogues.en[key]), key)
        }
      }
    })

    test(`${language} is not left in English`, () => {
      if (language === 'en') return
      const same = keys.filter((key) => catalogues[language][key] === catalogues.en[key])
      // words that two languages share, and texts of placeholders alone
      assert.ok(same.length < keys.length / 10, same.join())
    })
  }

  test('numbers choose singular and plural, and values are put in as they are', () => {
    const { say } = voiceOf('fr', 'UTC')
    assert.equal(say('digest.subject', { count: 1, organization: 'A' }), '1 nouveauté dans A')
    assert.equal(
      say('digest.subject', { count: 2, organization: '$&{count}' }),
      '2 nouveautés dans $&{count}',
    )
  })

  test('dates are in the language and in the zone of the reader', () => {
    const at = '2026-03-01T23:30:00Z'
    assert.match(voiceOf('de', 'Europe/Berlin').instant(at), /Montag, 2\. März 2026.*00:30/)
    assert.match(voiceOf('pt', 'UTC').instant(at), /domingo, 1 de março de 2026.*23:30/)
    assert.match(voiceOf('nl', 'Mars/Base').day('2026-03-02'), /maandag 2 maart 2026/)
  })

  test('a browser says which language it would like best', () => {
    assert.equal(acceptedLanguage('sv, de-CH;q=0.7, fr;q=0.9, *;q=0.1'), 'fr')
    assert.equal(acceptedLanguage('pt-BR'), 'pt')
    assert.equal(acceptedLanguage('ja, ko;q=0.5'), undefined)
    assert.equal(acceptedLanguage('de;q=0'), undefined)
    assert.equal(acceptedLanguage(undefined), undefined)
  })

  test('languages go by code and by name', () => {
    assert.deepEqual(['de-AT', 'German', 'PT_br', 'dutch', 'Klingon', '', null].map(languageOf), [
      'de',
      'de',
      'pt',
      'nl',
      undefined,
      undefined,
      undefined,
    ])
  })
})
