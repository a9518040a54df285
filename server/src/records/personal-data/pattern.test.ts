import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { watchLoop } from '../../../test/support/loop.ts'
import { slowness } from '../../../test/support/speed.ts'
import type { Identity } from './pattern.ts'
import { patternOf } from './pattern.ts'

function patternFor(identity: Partial<Identity>) {
  const placeholders = { name: 'N', email: 'E', other: 'O' }
  return patternOf({ names: [], emails: [], phones: [], links: [], ...identity }, placeholders)
}

describe('the pattern of a person', () => {
  test('finds a name whose words have signs between them', async () => {
    const { erase } = patternFor({ names: ['Ann - Lee', '. Cher .'] })
    assert.equal(await erase('by Ann - Lee, ann-lee.pdf and lee,ann'), 'by N, N.pdf and N')
    assert.equal(await erase(' . CHER . '), 'N')
    assert.equal(await erase('- - - and . . .'), '- - - and . . .')
  })

  test('takes no time for a name of characters that separate words', async () => {
    for (const sign of ['-', '.', '%20', '-%20']) {
      const { isIn } = patternFor({
        names: [['a', ...Array<string>(24).fill(sign), 'b'].join(' ')],
      })
      const start = performance.now()
      assert.equal(await isIn(`a ${sign.repeat(60)} c`), false)
      assert.ok(performance.now() - start < 1000, sign)
    }
  })

  test('of somebody of hundreds of names leaves others their turn in a long text', async () => {
    const phones = Array.from({ length: 300 }, (_, n) => `+49 17${n} 1234567${n}`)
    const { isIn } = patternFor({ phones })
    const loop = watchLoop()
    assert.equal(await isIn('4917'.repeat(64_000)), false)
    assert.ok(loop.longest().ms < 50 * slowness(), `${loop.longest().ms}`)
    loop.stop()
  })
})
