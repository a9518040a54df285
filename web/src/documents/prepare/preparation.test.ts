import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Placed, Preparation, Signer } from './preparation.ts'
import {
  aligned,
  changedBy,
  copiedTo,
  decidingFor,
  faultsOf,
  fromMm,
  inOrder,
  nothing,
  placedAt,
  refusalOf,
  requestOf,
  snapped,
  toMm,
  turnsOf,
  withConditions,
} from './preparation.ts'

const a4 = { width: 595.276, height: 841.89 }
const ada: Signer = { key: 'a', name: 'Ada', email: 'ada@x.test', role: 'signer', order: 1 }
const bob: Signer = { key: 'b', name: 'Bob', email: 'bob@x.test', role: 'approver', order: 2 }

function field(more: Partial<Placed> = {}): Placed {
  const middle = { signer: 'a', page: 1, x: 0.5, y: 0.5 }
  return { ...placedAt('signature', middle, a4), ...more }
}

describe('a field', () => {
  test('has its usual size with its middle where it is set, and stays on the page', () => {
    const middle = field()
    assert.deepEqual([toMm(middle.width, a4.width), toMm(middle.height, a4.height)], [60, 20])
    assert.deepEqual([toMm(middle.x, a4.width), toMm(middle.y, a4.height)], [75, 138.5])
    const corner = placedAt('date', { signer: 'a', page: 1, x: 1, y: 0 }, a4)
    assert.equal(toMm(corner.x + corner.width, a4.width), 210)
    assert.equal(corner.y, 0)
  })

  test('of a choice is sent with its options, without blank ones, and needs two', () => {
    const choice = placedAt('choice', { signer: 'a', page: 1, x: 0.5, y: 0.5 }, a4)
    const sent = (options: string[]) => {
      const prepared: Preparation = { ...nothing, signers: [ada], fields: [{ ...choice, options }] }
      return {
        options: requestOf(prepared).recipients[0]?.fields?.[0]?.options,
        words: faultsOf(prepared, { pages: 1, today: '2026-01-01', sizeOf: () => a4 })
          .filter(({ kind }) => kind === 'error')
          .map(({ words }) => words),
      }
    }
    assert.deepEqual(sent(['Monthly', '', ' Yearly ']), {
      options: ['Monthly', 'Yearly'],
      words: [],
    })
    assert.deepEqual(sent(['Monthly', ' ']).words, ['Choice on page 1 has fewer than two options.'])
  })

  test('depends on others of its recipient, which do not depend on it', () => {
    const when = (key: string) => ({ field: key, operator: 'filled' }) as const
    const box = field({ key: 'box', kind: 'checkbox', y: 0.1 })
    const text = field({ key: 'text', kind: 'text', y: 0.2, show_if: when('box') })
    const number = field({ key: 'number', kind: 'number', y: 0.3, show_if: when('text') })
    const others = [
      field({ key: 'date', kind: 'date', y: 0.4 }),
      field({ key: 'theirs', kind: 'text', signer: 'b' }),
    ]
    const all = [number, text, box, ...others]
    const deciding = (each: Placed) => decidingFor(each, all).map(({ key }) => key)
    assert.deepEqual([number, text, box].map(deciding), [['box', 'text'], ['box'], []])
    assert.deepEqual(withConditions(all), all)
    // what nothing decides any more is always asked for
    const without = withConditions([number, text])
    assert.deepEqual(
      without.map(({ show_if }) => show_if),
      [number.show_if, undefined],
    )
    const [sent] = requestOf({ ...nothing, signers: [ada], fields: all }).recipients
    assert.deepEqual(
      sent?.fields?.map(({ key, show_if }) => [key, show_if?.field]),
      [
        ['box', undefined],
        ['text', 'box'],
        [undefined, 'text'],
        [undefined, undefined],
      ],
    )
  })

  test('moves and grows by millimetres, to the edge and not below the least size', () => {
    const moved = changedBy(field(), { x: 1, y: -10 }, a4)
    assert.deepEqual([toMm(moved.x, a4.width), toMm(moved.y, a4.height)], [76, 128.5])
    assert.equal(changedBy(field(), { x: -500 }, a4).x, 0)
    const small = changedBy(field(), { width: -500, height: -500 }, a4)
    assert.deepEqual([toMm(small.width, a4.width), toMm(small.height, a4.height)], [8, 5])
  })

  test('in millimetres is what it was, to a tenth', () => {
    for (let mm = 0; mm < 210; mm += 0.1) {
      const tenth = Math.round(mm * 10) / 10
      assert.equal(toMm(fromMm(tenth, a4.width), a4.width), tenth)
    }
  })

  test('snaps to the edges of others within the distance alone', () => {
    const other = field({ key: 'o', x: 0.2, y: 0.2 })
    const near = field({ x: 0.204, y: 0.6 })
    assert.equal(snapped(near, [other], { x: 0.01, y: 0.01 }).x, 0.2)
    assert.equal(snapped(near, [other], { x: 0.001, y: 0.001 }).x, 0.204)
  })

  test('is copied to other pages once, and lined up with the first', () => {
    const one = field({ key: '1' })
    const all = copiedTo([one], [one], [2, 3])
    assert.deepEqual(
      all.map(({ page }) => page),
      [1, 2, 3],
    )
    assert.equal(copiedTo(all, [one], [2, 3]).length, 3)
    const two = field({ key: '2', x: 0.1, y: 0.7, width: 0.1 })
    const lined = aligned([one, two], ['1', '2'], 'left')
    assert.equal(lined[1]?.x, one.x)
    assert.equal(aligned([one, two], ['1', '2'], 'size')[1]?.width, one.width)
    assert.deepEqual(
      inOrder([two, one, field({ page: 3 })]).map(({ page, y }) => [page, y > 0.6]),
      [
        [1, false],
        [1, true],
        [3, false],
      ],
    )
  })
})

describe('a preparation', () => {
  const faults = (of: Partial<Preparation>, pages: number | null = 2) =>
    faultsOf({ ...nothing, ...of }, { pages, today: '2026-11-25', sizeOf: () => a4 }).map(
      ({ words }) => words,
    )

  test('says what is missing', () => {
    assert.deepEqual(faults({}), ['Nobody is asked to sign: add a recipient.'])
    assert.deepEqual(faults({ signers: [{ ...ada, email: 'ada' }], fields: [field()] }), [
      'Ada has no e-mail address.',
    ])
    const twice = { ...bob, email: 'ADA@x.test ' }
    assert.deepEqual(faults({ signers: [ada, twice], fields: [field()] }), ['Bob is there twice.'])
    assert.deepEqual(faults({ signers: [ada] }), [
      'Ada has no place for a signature: it will stand on the page that is added.',
    ])
    assert.deepEqual(faults({ signers: [ada] }, null), [])
    const over = { signers: [ada], fields: [field()], expires: '2026-11-24' }
    assert.deepEqual(faults(over), ['The last day to sign is over.'])
  })

  test('names fields that lie wrong', () => {
    const wrong = (more: Partial<Placed>) =>
      faults({ signers: [ada, bob], fields: [field(), field(more)] })
    assert.deepEqual(wrong({ page: 2 }), [])
    assert.deepEqual(wrong({}), ['Signature on page 1 overlaps with signature.'])
    assert.deepEqual(wrong({ page: 3 }), ['Signature on page 3 is beyond the last page.'])
    assert.deepEqual(wrong({ page: 2, signer: 'gone' }), [
      'Signature on page 2 is filled in by nobody.',
    ])
    assert.deepEqual(wrong({ page: 2, height: 0.001 }), ['Signature on page 2 is too small.'])
  })

  test('says of a refusal whom it is about', () => {
    const repeated = { field: 'recipients.1.email', message: 'repeats that of recipient 1' }
    const whole = { field: 'expires_at', message: 'must be in the future' }
    assert.equal(
      refusalOf([repeated, whole], { ...nothing, signers: [ada, { ...bob, name: '' }] }),
      'bob@x.test: repeats that of recipient 1, must be in the future',
    )
  })

  test('is sent as the request takes it, in turns where the numbers differ', () => {
    const label = ' Place '
    const body = requestOf({
      signers: [ada, bob],
      fields: [field({ kind: 'text', label, required: false })],
      message: ' Hello ',
      expires: '2026-12-04',
      allow_delegation: true,
      check: 'email_code',
    })
    assert.equal(body.sequential, true)
    assert.deepEqual([body.allow_delegation, body.check], [true, 'email_code'])
    assert.equal(body.message, 'Hello')
    assert.equal(body.expires_at, '2026-12-04T23:59:59')
    const { kind, required, page, label: sent } = body.recipients[0]?.fields?.[0] ?? {}
    assert.deepEqual([kind, required, page, sent], ['text', false, 1, 'Place'])
    assert.equal(requestOf({ ...nothing, signers: [ada, { ...bob, order: 1 }] }).sequential, false)
    assert.deepEqual(
      turnsOf([bob, ada]).map((turn) => turn.map(({ name }) => name)),
      [['Ada'], ['Bob']],
    )
  })
})
