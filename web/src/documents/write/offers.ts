import type { Editor } from '@tiptap/core'
import { foldedText as fold } from '../../../../server/src/kit/ground/fold.ts'
import type { ShownValue } from './node-views.ts'
import type { Offer } from './own-editor.ts'
import { insertTable } from './table-acts.ts'
import type { NamedValue } from './values.ts'
import { t } from '../../locales/text.ts'

/** The blocks that `/` offers, and buttons that need more than the text. */
export function blockOffers(asks: { picture: () => void; place: () => void }): Offer[] {
  const act = (key: string, label: string, run: (editor: Editor) => void): Offer => ({
    key,
    label,
    take: (editor, range) => {
      editor.chain().focus().deleteRange(range).run()
      run(editor)
    },
  })
  return [
    act('text', t('Text'), (it) => it.commands.setParagraph()),
    act('h1', t('Heading 1'), (it) => it.commands.setHeading({ level: 1 })),
    act('h2', t('Heading 2'), (it) => it.commands.setHeading({ level: 2 })),
    act('h3', t('Heading 3'), (it) => it.commands.setHeading({ level: 3 })),
    act('ul', t('List'), (it) => it.commands.toggleBulletList()),
    act('ol', t('Numbered list'), (it) => it.commands.toggleOrderedList()),
    act('task', t('Check list'), (it) => it.commands.toggleTaskList()),
    act('quote', t('Quote'), (it) => it.commands.toggleBlockquote()),
    act('table', t('Table'), insertTable),
    act('picture', t('Picture'), asks.picture),
    act('rule', t('Line'), (it) => it.commands.setHorizontalRule()),
    act('break', t('Page break'), (it) => it.commands.insertContent({ type: 'pageBreak' })),
    act('place', t('Place for a signature'), asks.place),
    act('value', t('Value'), (it) => it.commands.insertContent('{{')),
  ]
}

/** Values by what somebody typed: of their name, their group or what they are now. */
export function valueOffers(
  all: NamedValue[],
  values: ReadonlyMap<string, ShownValue>,
  query: string,
): Offer[] {
  return found(
    all
      .filter(({ inner }) => values.get(inner)?.state !== 'unknown')
      .map(({ inner, name, group }) => ({
        key: inner,
        label: name,
        group,
        note: values.get(inner)?.value ?? t('empty'),
        take: (editor, range) =>
          editor
            .chain()
            .focus()
            .deleteRange(range)
            .insertContent({ type: 'value', attrs: { inner } })
            .run(),
      })),
    query,
  )
}

/** Those whose words begin with what was typed come first; ten at most. */
export function found(offers: Offer[], query: string): Offer[] {
  const text = fold(query.trim())
  if (!text) return offers.slice(0, 14)
  const rated = offers.flatMap((offer) => {
    const words = fold(`${offer.group ?? ''} ${offer.label} ${offer.key}`)
    if (!words.includes(text)) return []
    return [{ offer, isFirst: fold(offer.label).startsWith(text) }]
  })
  return rated
    .toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst))
    .slice(0, 10)
    .map(({ offer }) => offer)
}
