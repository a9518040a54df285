import { Node, mergeAttributes, nodeInputRule } from '@tiptap/core'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import type { Node as PmNode } from '@tiptap/pm/model'
import { goToNextCell, tableEditing } from '@tiptap/pm/tables'
import StarterKit from '@tiptap/starter-kit'
import { imageAddress } from '../../../../server/src/kit/ground/image-address.ts'
import { attributeOf, choiceView, sideView, valueView } from './node-views.ts'
import { addRow, isInLastCell } from './table-acts.ts'
import { t } from '../../locales/text.ts'

type Attributes = { [name: string]: unknown }

const widths = [25, 50, 75, 100] as const

function widthIn(element: HTMLElement): number | null {
  const width = Number(/(?:^| )w-(\d{1,3})(?: |$)/.exec(element.className)?.[1])
  return width >= 1 && width <= 100 ? width : null
}

function alignIn(element: HTMLElement): string | null {
  return /(?:^| )align-(center|right)(?: |$)/.exec(element.className)?.[1] ?? null
}

function classOf({ width, align }: { width?: number | null; align?: string | null }) {
  const names = [width ? `w-${width}` : '', align ? `align-${align}` : ''].filter(Boolean)
  return names.length ? { class: names.join(' ') } : {}
}

const cell = {
  content: 'block+',
  isolating: true,
  addAttributes() {
    const span = (name: 'colspan' | 'rowspan') => ({
      default: 1,
      parseHTML: (element: HTMLElement) =>
        Math.min(100, Math.max(1, Number(element.getAttribute(name)) || 1)),
      renderHTML: (attributes: { [name: string]: unknown }) =>
        attributes[name] === 1 ? {} : { [name]: attributes[name] },
    })
    return {
      colspan: span('colspan'),
      rowspan: span('rowspan'),
      colwidth: { default: null, rendered: false, parseHTML: () => null },
      width: { default: null, parseHTML: widthIn, renderHTML: () => ({}) },
      align: { default: null, parseHTML: alignIn, renderHTML: classOf },
    }
  },
}

/** What nodes are for the commands of tables. */
const roles: { [name: string]: string } = {
  table: 'table',
  tableRow: 'row',
  tableCell: 'cell',
  tableHeader: 'header_cell',
}

const Table = Node.create({
  name: 'table',
  // asked for each node
  extendNodeSchema: ({ name }: { name: string }) => (roles[name] ? { tableRole: roles[name] } : {}),
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: ({ HTMLAttributes }) => ['table', HTMLAttributes, ['tbody', 0]],
  addProseMirrorPlugins: () => [tableEditing()],
  addKeyboardShortcuts() {
    const move = (way: 1 | -1) => () =>
      goToNextCell(way)(this.editor.state, this.editor.view.dispatch)
    return {
      Tab: () => {
        if (!this.editor.isActive('table')) return false
        if (isInLastCell(this.editor.state)) addRow(this.editor)
        return move(1)() || true
      },
      'Shift-Tab': () => this.editor.isActive('table') && move(-1)(),
    }
  },
})

const TableRow = Node.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)*',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: ({ HTMLAttributes }) => ['tr', HTMLAttributes, 0],
})

const TableCell = Node.create({
  ...cell,
  name: 'tableCell',
  parseHTML: () => [{ tag: 'td' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'td',
    mergeAttributes(HTMLAttributes, classOf(node.attrs)),
    0,
  ],
})

const TableHeader = Node.create({
  ...cell,
  name: 'tableHeader',
  parseHTML: () => [{ tag: 'th' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'th',
    mergeAttributes(HTMLAttributes, classOf(node.attrs)),
    0,
  ],
})

const Picture = Node.create({
  name: 'picture',
  group: 'block',
  draggable: true,
  addAttributes: () => ({
    src: { default: '' },
    alt: { default: '' },
    width: {
      default: null,
      parseHTML: widthIn,
      renderHTML: ({ width }: Attributes) => classOf({ width: width as number | null }),
    },
  }),
  parseHTML: () => [
    {
      tag: 'img[src]',
      getAttrs: (element) => imageAddress.test(element.getAttribute('src') ?? '') && null,
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
})

const PageBreak = Node.create({
  name: 'pageBreak',
  group: 'block',
  parseHTML: () => [{ tag: 'hr.page-break', priority: 60 }],
  renderHTML: () => ['hr', { class: 'page-break' }],
})

/** `{{account.account_name}}`, by what is between the braces. */
const Value = Node.create({
  name: 'value',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    inner: {
      default: '',
      parseHTML: (element) => element.dataset.value ?? '',
      renderHTML: ({ inner }: Attributes) => ({ 'data-value': String(inner) }),
    },
  }),
  parseHTML: () => [{ tag: 'span[data-value]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    HTMLAttributes,
    `{{${attributeOf(node, 'inner')}}}`,
  ],
  renderText: ({ node }) => `{{${attributeOf(node, 'inner')}}}`,
  addNodeView: () => valueView,
  addInputRules() {
    const { type } = this
    return [
      nodeInputRule({
        find: /\{\{([^{}]{1,200})\}\}$/,
        type,
        getAttributes: ([, inner = '']) => ({ inner: inner.trim() }),
      }),
    ]
  },
})

/** A line to sign on, by whose it is. */
const Place = Node.create({
  name: 'place',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({
    whose: {
      default: '',
      parseHTML: (element) => element.dataset.place ?? '',
      renderHTML: ({ whose }: Attributes) => ({ 'data-place': String(whose) }),
    },
  }),
  parseHTML: () => [{ tag: 'span[data-place]' }],
  renderHTML: ({ node, HTMLAttributes }) => ['span', HTMLAttributes, attributeOf(node, 'whose')],
})

/** What two people have made of the same text, until somebody chooses. */
const Choice = Node.create({
  name: 'choice',
  group: 'block',
  content: 'side side',
  isolating: true,
  defining: true,
  parseHTML: () => [{ tag: 'div.choice' }],
  renderHTML: () => ['div', { class: 'choice' }, 0],
  addNodeView: () => choiceView,
})

const Side = Node.create({
  name: 'side',
  content: 'block+',
  isolating: true,
  defining: true,
  addAttributes: () => ({
    by: {
      default: null,
      parseHTML: (element) => element.dataset.by ?? null,
      renderHTML: ({ by }: Attributes) => (by ? { 'data-by': String(by) } : {}),
    },
  }),
  parseHTML: () => [{ tag: 'div.side' }],
  renderHTML: ({ HTMLAttributes }) => ['div', { class: 'side', ...HTMLAttributes }, 0],
  addNodeView: () => sideView,
})

const Tasks = TaskList.extend({
  parseHTML: () => [{ tag: 'ul.task', priority: 60 }],
  renderHTML: () => ['ul', { class: 'task' }, 0],
})

const Task = TaskItem.extend({
  addAttributes: () => ({
    checked: {
      default: false,
      keepOnSplit: false,
      parseHTML: (element) => element.classList.contains('done'),
      renderHTML: ({ checked }: Attributes) => (checked ? { class: 'done' } : {}),
    },
  }),
  // an item of another list is none
  parseHTML: () => [{ tag: 'ul.task > li', priority: 60 }],
  renderHTML: ({ HTMLAttributes }) => ['li', HTMLAttributes, 0],
}).configure({
  nested: true,
  a11y: { checkboxLabel: (node: PmNode) => t('Done: {text}', { text: node.textContent }) },
})

/** Everything that a document's text may have. */
export const extensions = [
  StarterKit.configure({
    heading: { levels: [1, 2, 3, 4] },
    dropcursor: { color: false, class: 'drop-cursor' },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (url) => /^(https?:\/\/|mailto:)[^\s"<>]+$/i.test(url),
      HTMLAttributes: { rel: null, target: null, class: null },
    },
  }),
  Table,
  TableRow,
  TableCell,
  TableHeader,
  Picture,
  PageBreak,
  Value,
  Place,
  Choice,
  Side,
  Tasks,
  Task,
]

export { widths as pictureWidths }
