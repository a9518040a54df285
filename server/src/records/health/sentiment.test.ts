import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sentimentOf } from './sentiment.ts'

describe('sentiment', () => {
  test('is of English texts', () => {
    const good = [
      'Great work, thank you!',
      'I love it',
      'This is a wonderful team',
      'No problem at all',
    ]
    for (const text of good) assert.ok((sentimentOf(text) ?? 0) > 0, text)
    const bad = [
      'This is terrible',
      'We are very disappointed by the delay',
      'not good',
      'It is bad. No!',
    ]
    for (const text of bad) assert.ok((sentimentOf(text) ?? 0) < 0, text)
    for (const text of ['', 'The meeting is on Monday', '12:30'])
      assert.equal(sentimentOf(text), null)
  })

  // words that the list knows as English ones with another meaning: die, war, no, fine, grave, mal
  test('and of no other language', () => {
    const texts = [
      'Die Lösung ist gut, die Einführung war sehr schnell',
      'Das war sehr hilfreich, vielen Dank an die Kollegen',
      'La solution est super, ce n’est pas grave du tout',
      'No hay problemas, el equipo es muy bueno',
      'Não há problema, a equipe foi muito boa no projeto',
      'Het team is heel goed, geen problemen met de levering van het project',
    ]
    for (const text of texts) assert.equal(sentimentOf(text), null, text)
  })
})
