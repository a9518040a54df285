import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Draft, Ending, Question } from './draft.ts'
import { kinds } from '../kinds.ts'
import {
  answerWords,
  brokenBy,
  broughtIn,
  conditionOn,
  conditionWords,
  differencesOf,
  faultsOf,
  isAddress,
  idOfKind,
  linesOfText,
  merged,
  movedTo,
  newQuestion,
  questionsOf,
  rowsOf,
  withAdded,
  withCopy,
  withEnding,
  withEndingAdded,
  withKind,
  without,
  withPage,
  withQuestion,
} from './draft.ts'
import { questionsIn } from './pasted.ts'
import { bodyFrom } from './use-draft.ts'

const texts = {
  name: 'Pulse',
  description: null,
  closing_title: null,
  closing_text: null,
  closing_button: null,
  closing_url: null,
  language: null,
  translations: null,
  background_color: null,
  action_color: null,
}
const question = (id: string, more: Partial<Question> = {}): Question => ({
  id,
  type: 'short-text',
  label: id,
  ...more,
})
const draft = (...pages: Question[][]): Draft => ({
  texts,
  endings: [],
  pages: pages.map((fields, at) => ({ id: `p${at + 1}`, title: '', fields })),
})
const shown = ({ pages }: Draft) =>
  pages.map(({ fields }) => fields.map(({ id }) => id).join('')).join(' ')
const [a, b, c] = ['a', 'b', 'c'].map((id) => question(id)) as [Question, Question, Question]

describe('the draft of a survey', () => {
  test('moves questions over the borders of pages, and no further', () => {
    const two = draft([a, b], [c])
    assert.equal(shown(movedTo(two, 'b', 'up')), 'ba c')
    assert.equal(shown(movedTo(two, 'b', 'down')), 'a bc')
    assert.equal(shown(movedTo(two, 'c', 'up')), 'abc ')
    assert.equal(shown(movedTo(two, 'a', 'page-down')), 'b ac')
    assert.equal(movedTo(two, 'a', 'up'), two)
    assert.equal(movedTo(two, 'c', 'down'), two)
  })

  test('adds after what is selected, copies, splits pages and deletes', () => {
    const two = draft([a, b], [c])
    assert.equal(shown(withAdded(two, [question('x')], 'a')), 'axb c')
    assert.equal(shown(withAdded(two, [question('x')])), 'ab cx')
    assert.equal(shown(withAdded({ ...two, pages: [] }, [a])), 'a')
    assert.equal(shown(withCopy(two, 'b', 'x')), 'abx c')
    assert.equal(shown(withPage(two, { id: 'n', title: '', fields: [] }, 'a')), 'a b c')
    assert.equal(shown(without(two, 'a')), 'b c')
    assert.equal(shown(without(two, 'p1')), 'c')
  })

  test('says what keeps it from being published', () => {
    const messages = (of: Draft) => faultsOf(of).map(({ message }) => message)
    assert.deepEqual(messages(draft([a])), [])
    assert.deepEqual(messages(draft([])), ['There is no question yet'])
    assert.deepEqual(messages(draft([question('x', { label: ' ' })])), ['It has no text'])
    const choices = question('x', { type: 'dropdown', options: [{ value: 'y', label: '' }] })
    assert.deepEqual(messages(draft([choices])), ['It has no choices'])
    const late = question('x', { show_if: [{ field_id: 'a', operator: 'eq', value: 1 }] })
    assert.deepEqual(messages(draft([late, a])), ['It depends on a question that comes later'])
    assert.deepEqual(messages(draft([late])), ['It depends on a question that is deleted'])
    for (const type of kinds.flatMap(({ of }) => of)) {
      if (type === 'statement') continue
      assert.deepEqual(messages(draft([newQuestion(type, 'Q')])), [], type)
    }
  })

  test('refuses to put a question before what it depends on', () => {
    const score = question('s', { type: 'nps' })
    const before = draft([score, { ...a, show_if: [conditionOn(score)] }])
    assert.match(
      String(brokenBy(before, movedTo(before, 's', 'down'))),
      /^Question 2 is only asked/,
    )
    assert.equal(brokenBy(before, withAdded(before, [b])), undefined)
    assert.equal(
      conditionWords(before, questionsOf(before)[1] ?? a),
      'only if question 1 is at most 6',
    )
  })

  test('keeps what both sides changed, and mine where both changed the same', () => {
    const base = draft([a, b])
    const mine = withQuestion(withAdded(base, [question('x')], 'a'), 'a', { label: 'mine' })
    const theirs = withQuestion(withQuestion(base, 'b', { label: 'theirs' }), 'a', { label: 'no' })
    const both = merged(base, mine, theirs)
    assert.equal(shown(both), 'axb')
    assert.deepEqual(
      questionsOf(both).map(({ label }) => label),
      ['mine', 'x', 'theirs'],
    )
    assert.equal(shown(merged(base, mine, without(base, 'b'))), 'ax')
    // undone after others have changed something
    assert.equal(shown(merged(without(base, 'a'), base, withAdded(without(base, 'a'), [c]))), 'abc')
  })

  test('keeps pages and moves when two change it at once', () => {
    const base = draft([a, b], [c])
    const split = withPage(base, { id: 'n', title: 'New', fields: [] }, 'a')
    const moved = movedTo(movedTo(base, 'c', 'page-up'), 'c', 'up')
    for (const both of [merged(base, split, moved), merged(base, moved, split)]) {
      assert.deepEqual(
        both.pages.map(({ id }) => id),
        ['p1', 'n', 'p2'],
      )
      assert.deepEqual(
        questionsOf(both).map(({ id }) => id),
        ['a', 'c', 'b'],
      )
    }
    const titled = { ...base, pages: base.pages.map((page) => ({ ...page, title: page.id })) }
    const more = withAdded(base, [question('x')], 'a')
    assert.deepEqual(
      merged(base, more, titled).pages.map(({ title }) => title),
      ['p1', 'p2'],
    )
    // what was added to a page that is deleted stands on the next one, or on a page of its own
    assert.equal(shown(merged(base, more, without(base, 'p1'))), 'xc')
    const none = without(without(base, 'p1'), 'p2')
    const alone = merged(base, more, none)
    assert.equal(shown(alone), 'x')
    assert.equal(shown(merged(base, base, none)), '')
    assert.deepEqual(merged(base, base, titled), titled)
  })

  test('gives a question the id again that it has where it is published, once it is of its kind', () => {
    const published = draft([question('a', { type: 'nps' }), b])
    const [nps = a] = questionsOf(published)
    const other = idOfKind(published, published, nps, { type: 'number' })
    assert.notEqual(other, 'a')
    const changed = withQuestion(published, 'a', { ...withKind(nps, 'number'), id: other })
    const [now = a] = questionsOf(changed)
    assert.equal(idOfKind(changed, published, now, { type: 'nps', first: 'a' }), 'a')
    assert.equal(idOfKind(changed, published, now, { type: 'date', first: 'a' }), other)
    // what it began with is not known any more
    assert.equal(idOfKind(changed, published, now, { type: 'nps' }), 'a')
    // never published, or there already
    assert.equal(idOfKind(published, undefined, nps, { type: 'number' }), 'a')
    const both = withAdded(changed, [nps])
    assert.equal(idOfKind(both, published, now, { type: 'nps', first: 'a' }), other)
  })

  test('has what another kind needs, and nothing of the one before', () => {
    const scale = question('s', { type: 'ratings', maxRating: 7, minLabel: 'No' })
    const choice = withKind(scale, 'dropdown')
    assert.deepEqual(
      [choice.type, choice.maxRating, choice.options?.length],
      ['dropdown', undefined, 2],
    )
    assert.deepEqual(withKind(choice, 'ranking').options, choice.options)
    assert.equal(withKind(choice, 'date').options, null)
    assert.deepEqual(rowsOf(draft([a, b], [c])), ['p1', 'a', 'b', 'p2', 'c', 'closing'])
  })

  test('says answers by their names', () => {
    const options = [{ value: 'x1', label: 'North' }]
    const words = (more: Partial<Question>, value: unknown) =>
      answerWords(question('q', more), value)
    assert.equal(words({ type: 'dropdown', options }, 'x1'), '“North”')
    assert.equal(words({ type: 'dropdown', options }, 'x2'), 'a deleted choice')
    assert.equal(words({ type: 'dropdown', options }, ['x1', 'x2']), '“North” or a deleted choice')
    assert.equal(words({ type: 'consent' }, false), 'not agreed')
    assert.equal(words({}, 'Berlin'), '“Berlin”')
    assert.equal(words({ type: 'number' }, ''), '…')
    const date = question('d', { type: 'date' })
    const before = draft([
      date,
      { ...a, show_if: [{ field_id: 'd', operator: 'lt', value: '2026-03-01' }] },
      { ...b, show_if: [{ field_id: 'gone', operator: 'is_empty' }] },
    ])
    assert.deepEqual(
      questionsOf(before).map((each) => conditionWords(before, each, () => '1 March')),
      ['', 'only if question 1 is less than 1 March', 'only if a deleted question is not answered'],
    )
    assert.deepEqual(
      faultsOf({ ...draft([a]), texts: { ...texts, name: ' ' } }).map(({ message }) => message),
      ['The survey has no name'],
    )
  })

  test('lists what publishing changes', () => {
    const before = draft([a, b])
    const after = withQuestion(without(withAdded(before, [c]), 'b'), 'a', { required: true })
    const list = differencesOf(before, { ...after, texts: { ...texts, name: 'New' } })
    assert.deepEqual(
      list.map(({ kind, title, what }) => [kind, title, what].join(' ').trim()),
      ['changed a whether it must be answered', 'added c Short text', 'removed b', 'changed Name'],
    )
    assert.deepEqual(differencesOf(before, before), [])
    // a question more is one change, and its page is the same; another page for one that stays is a change of pages
    const titles = (now: Draft) => differencesOf(draft([a], [b]), now).map(({ title }) => title)
    assert.deepEqual(titles(draft([a, c], [b])), ['c'])
    assert.deepEqual(titles(draft([a, b], [])), ['Pages'])
  })
})

describe('a pasted list', () => {
  const read = (text: string) =>
    questionsIn(text).map(({ type, label, options, required, maxRating }) =>
      [
        type,
        label,
        ...(options ?? []).map((each) => `>${each.label}`),
        ...(required ? ['!'] : []),
        ...(maxRating ? [maxRating] : []),
      ].join(' '),
    )

  test('is one question a line, without numbers and bullets', () => {
    assert.deepEqual(read('1. One?\n2) Two?\n\n- Three\nQ4: Four'), [
      'short-text One?',
      'short-text Two?',
      'short-text Three',
      'short-text Four',
    ])
    assert.deepEqual(read('3 days after the start, how was it?'), [
      'short-text 3 days after the start, how was it?',
    ])
  })

  test('has choices where lines are indented or lettered', () => {
    assert.deepEqual(read('Which clinic?\n  - North\n  - South\nWho?\na) Ann\nb) Bo\nb) Bo'), [
      'single-select Which clinic? >North >South',
      'single-select Who? >Ann >Bo',
    ])
  })

  test('has choices where bullets stand right below a number', () => {
    assert.deepEqual(
      read('1. Which clinic?\n- North\n- South\n2. Who?\n• Ann\n\n- Anything else?'),
      [
        'single-select Which clinic? >North >South',
        'single-select Who? >Ann',
        'short-text Anything else?',
      ],
    )
    assert.deepEqual(read('- One?\n- Two?'), ['short-text One?', 'short-text Two?'])
  })

  test('says kinds in six languages', () => {
    assert.deepEqual(
      read(
        'Empfehlung (0 bis 10)\nSchulung 1 bis 5\nBereit? (ja/nein)\nPrêt ? oui/non\nInicio (fecha)\nQuantos (número)\nRapport (bestand)\nAdresse (E-Mail)\nVon 1 bis',
      ),
      [
        'nps Empfehlung',
        'ratings Schulung 5',
        'yes-no Bereit?',
        'yes-no Prêt ?',
        'date Inicio',
        'number Quantos',
        'file Rapport',
        'email Adresse',
        'short-text Von 1 bis',
      ],
    )
  })

  test('says kinds, and what must be answered', () => {
    assert.deepEqual(
      read(
        'Recommend us? (0–10) *\nTraining (1-7)\nSupport 1–5\nReady? yes/no\nStart (date)\nMany (not a kind)',
      ),
      [
        'nps Recommend us? !',
        'ratings Training 7',
        'ratings Support 5',
        'yes-no Ready?',
        'date Start',
        'short-text Many (not a kind)',
      ],
    )
    assert.deepEqual(read('   \n'), [])
  })
})

describe('questions of another survey', () => {
  test('come with conditions on what is there, and with ids that are free', () => {
    const here = draft([a])
    const show_if = [
      { field_id: 'a', operator: 'is_not_empty' },
      { any: [{ field_id: 'b', operator: 'eq', value: 1 }, { field_id: 'gone' }] },
    ]
    const [one, two, three] = broughtIn(here, [a, b, question('c', { show_if })])
    assert.notEqual(one?.id, 'a')
    assert.equal(two?.id, 'b')
    assert.deepEqual(three?.show_if, [
      { field_id: one?.id, operator: 'is_not_empty' },
      { field_id: 'b', operator: 'eq', value: 1 },
    ])
    const lost = broughtIn(draft([]), [question('c', { show_if })])[0]
    assert.equal(lost?.show_if, undefined)
  })

  test('are text for everybody else', () => {
    const options = [{ value: 'x', label: 'North' }]
    assert.equal(linesOfText([question('Where?', { options })]), 'Where?\n  - North')
  })

  test('ends by condition: adds, moves, copies, deletes and puts endings together', () => {
    const ifA = [{ field_id: 'a', operator: 'eq', value: 'x' }]
    const ending = (id: string, more: Partial<Ending> = {}): Ending => ({
      id,
      title: id.toUpperCase(),
      text: '',
      show_if: ifA,
      ...more,
    })
    const names = (of: Draft) => of.endings.map(({ id }) => id).join('')
    const base = { ...draft([a, b]), endings: [ending('x'), ending('y')] }
    assert.deepEqual(rowsOf(base), ['p1', 'a', 'b', 'x', 'y', 'closing'])
    assert.equal(names(withEndingAdded(base, ending('n'), 'x')), 'xny')
    assert.equal(names(withEndingAdded(base, ending('n'), 'a')), 'xyn')
    assert.equal(names(movedTo(base, 'x', 'down')), 'yx')
    assert.equal(movedTo(base, 'x', 'up'), base)
    assert.equal(movedTo(base, 'y', 'down'), base)
    assert.equal(names(withCopy(base, 'x', 'n')), 'xny')
    assert.equal(names(without(base, 'x')), 'y')
    assert.equal(shown(without(base, 'x')), 'ab')
    assert.equal(conditionWords(base, ending('x')), 'only if question 1 is “x”')
    assert.deepEqual(faultsOf(base), [])
    const bad = [ending('x', { show_if: [] }), ending('y', { title: ' ', url: 'nowhere' })]
    assert.deepEqual(
      faultsOf({ ...without(base, 'a'), endings: bad }).map(({ id, message }) => [id, message]),
      [
        ['x', 'It has no condition'],
        ['y', 'It has no text'],
        ['y', 'Its link is no web address'],
        ['y', 'It depends on a question that is deleted'],
      ],
    )
    assert.deepEqual(
      differencesOf(base, { ...base, endings: [ending('y', { title: 'Z' }), ending('n')] }).map(
        ({ kind, title }) => `${kind} ${title}`,
      ),
      ['changed Ending: Z', 'added Ending: N', 'removed Ending: X'],
    )
    assert.deepEqual(
      differencesOf(base, movedTo(base, 'x', 'down')).map(({ what }) => what),
      ['moved', 'moved'],
    )
    const mine = withEnding(base, 'x', { text: 'mine' })
    const theirs = withEndingAdded(withEnding(base, 'y', { text: 'theirs' }), ending('n'))
    const both = merged(base, mine, theirs)
    assert.equal(names(both), 'xyn')
    assert.deepEqual(
      both.endings.map(({ text }) => text),
      ['mine', 'theirs', ''],
    )
    const { form_structure } = bodyFrom({ ...base, endings: bad })
    assert.deepEqual(
      form_structure.endings.map(({ url }) => url),
      [undefined, undefined],
    )
  })

  test('sends links that the service takes, and in place of others the stored ones', () => {
    const url = 'https://example.com/next'
    const ending = (of: string | null): Ending => ({ id: 'x', title: 'X', text: '', url: of })
    const stored = { ...draft([a]), endings: [ending(url)] }
    for (const half of ['https://example.com/a b', 'https://u:p@example.com', 'example.com']) {
      assert.equal(isAddress(half), false, half)
      const typed = { ...stored, endings: [ending(half)], texts: { ...texts, closing_url: half } }
      const { form_structure, ...rest } = bodyFrom(typed, stored)
      assert.equal(form_structure.endings[0]?.url, url)
      assert.ok(!('closing_url' in rest))
    }
    const none = bodyFrom({ ...stored, endings: [ending(null)] }, stored)
    assert.equal(none.form_structure.endings[0]?.url, null)
  })

  test('says which texts of the last ending name a question that is deleted, in every language', () => {
    const of = (more: Partial<Draft['texts']>) =>
      faultsOf({ ...draft([a]), texts: { ...texts, ...more } }).map(({ id, message }) => [
        id,
        message,
      ])
    const lost = [['closing', 'It depends on a question that is deleted']]
    for (const name of ['closing_title', 'closing_text', 'closing_button'] as const) {
      assert.deepEqual(of({ [name]: 'Thanks, {{answers.a|you}}, {{contact.first_name}}' }), [])
      assert.deepEqual(of({ [name]: 'Thanks, {{answers.gone|you}}' }), lost)
      assert.deepEqual(of({ translations: { fr: { [name]: '{{answers.gone}}' } } }), lost)
    }
  })
})
