import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { htmlOf, isBlank, nothing, textIn } from './drafts.ts'

describe('a draft', () => {
  test('shows plain text exactly, whatever is in it', () => {
    assert.equal(htmlOf('a <b> & c\nd\n\ne'), '<p>a &lt;b&gt; &amp; c<br>d</p><p>e</p>')
    assert.equal(htmlOf('&lt;'), '<p>&amp;lt;</p>')
  })

  test('is in the box as it was typed, blanks and signs too', () => {
    for (const typed of [
      'Could ',
      ' a',
      'a & b',
      '1 < 2 > 0',
      '&lt;',
      'a\n',
      'a\nb\n\nc ',
      'a\n\n',
    ])
      assert.equal(textIn(htmlOf(typed)), typed)
  })

  test('is blank without a letter and without a file', () => {
    assert.ok(isBlank(nothing))
    assert.ok(isBlank({ ...nothing, content: '<p></p><p><br></p>' }))
    assert.ok(!isBlank({ ...nothing, content: '<p>x</p>' }))
    assert.ok(!isBlank({ ...nothing, attachments: [{ attach_id: '1', document_name: 'Plan' }] }))
    assert.equal(textIn('<p>Hello <span>@Anouk</span></p>'), 'Hello @Anouk')
  })
})
