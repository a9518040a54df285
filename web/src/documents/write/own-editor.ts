import type { Editor } from '@tiptap/core'
import { Editor as Core, Extension } from '@tiptap/core'
import { Placeholder } from '@tiptap/extensions'
import { PluginKey } from '@tiptap/pm/state'
import type { SuggestionProps } from '@tiptap/suggestion'
import { Suggestion } from '@tiptap/suggestion'
import { notifyRefusal } from '../../data/change.ts'
import { rowsAsLines } from '../../records/comments/pasted.ts'
import { extensions } from './extensions.ts'
import { blocksOf, docOf } from './html-blocks.ts'
import { hunksOf } from '../../ui/hunks.ts'
import { t } from '../../locales/text.ts'

/** Something that a list in the text offers. */
export type Offer = {
  key: string
  label: string
  /** beside it, such as what a value is now */
  note?: string
  group?: string
  take: (editor: Editor, range: { from: number; to: number }) => void
}

/** A list that is open in the text. */
export type Offered = Pick<SuggestionProps<Offer, Offer>, 'items' | 'command'> & {
  at: DOMRect | null
}

export type EditorOptions = {
  element: HTMLElement
  label: string
  blocks: string[]
  isEditable: boolean
  className: string
  /** the values of `{{` and the blocks of `/` */
  offers: (char: '{{' | '/', query: string) => Offer[]
  onOffered: (offered: Offered | undefined) => void
  /** a key while a list is open; whether it was one of the list's */
  onOfferedKey: (event: KeyboardEvent) => boolean
  onKey: (event: KeyboardEvent) => boolean
  onFiles: (files: File[], at?: number) => boolean
  /** the text is another one; `isOwn` where it was written here */
  onText: (isOwn: boolean) => void
  onState: () => void
}

/** The editor of a document's text. */
export function createEditor(options: EditorOptions): Editor {
  const { element, label, blocks, isEditable, className, onFiles, onKey } = options
  const filesIn = (data: DataTransfer | null) =>
    [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
  const editor = new Core({
    element,
    injectCSS: false,
    editable: isEditable,
    extensions: [
      ...extensions,
      Placeholder.configure({ placeholder: t('Write, or press / for blocks and {{ for values') }),
      offering('{{', options),
      offering('/', options),
    ],
    content: '',
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        class: className,
      },
      transformPastedHTML: rowsAsLinesOutside,
      handleKeyDown: (_, event) => onKey(event),
      handlePaste: (_, { clipboardData }) => {
        const files = filesIn(clipboardData)
        return files.length > 0 && onFiles(files)
      },
      handleDrop: (view, event, _slice, isMoved) => {
        const files = isMoved ? [] : filesIn(event.dataTransfer)
        if (!files.length) return false
        event.preventDefault()
        return onFiles(files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos)
      },
    },
    onUpdate: ({ transaction }) => options.onText(transaction.getMeta('remote') !== true),
    onTransaction: options.onState,
    onContentError: ({ error }) => notifyRefusal(error),
  })
  show(editor, blocks)
  return editor
}

/** Tables stay tables here. */
function rowsAsLinesOutside(html: string): string {
  return /<table/i.test(html) ? html : rowsAsLines(html)
}

function offering(char: '{{' | '/', options: EditorOptions): Extension {
  return Extension.create({
    name: char === '/' ? 'blocks' : 'values',
    addProseMirrorPlugins() {
      const show = ({ items, command, clientRect }: SuggestionProps<Offer, Offer>) =>
        options.onOffered({ items, command, at: clientRect?.() ?? null })
      return [
        Suggestion<Offer, Offer>({
          editor: this.editor,
          char,
          pluginKey: new PluginKey(char),
          startOfLine: char === '/',
          allowedPrefixes: null,
          items: ({ query }) => options.offers(char, query),
          command: ({ editor, range, props }) => props.take(editor, range),
          render: () => ({
            onStart: show,
            onUpdate: show,
            onKeyDown: ({ event }) => options.onOfferedKey(event),
            onExit: () => options.onOffered(undefined),
          }),
        }),
      ]
    },
  })
}

/** The blocks of what is in the editor; none for an empty text. */
export function editedBlocks(editor: Editor): string[] {
  const blocks = blocksOf(editor.state.doc)
  return blocks.length === 1 && blocks[0] === '<p></p>' ? [] : blocks
}

/** Shows other blocks in the editor. What is the same stays, with the cursor and the steps that can be undone. */
export function show(editor: Editor, blocks: string[]): void {
  const { state, schema } = editor
  const hunks = hunksOf(blocksOf(state.doc), blocks.length ? blocks : ['<p></p>'])
  if (!hunks.length) return
  const starts = [0]
  state.doc.forEach((node, offset) => starts.push(offset + node.nodeSize))
  const { tr } = state
  for (const { at, until, blocks: now } of hunks.toReversed()) {
    const nodes = now.length ? docOf(now.join(''), schema).content : []
    tr.replaceWith(starts[at] ?? 0, starts[until] ?? state.doc.content.size, nodes)
  }
  editor.view.dispatch(tr.setMeta('addToHistory', false).setMeta('remote', true))
}
