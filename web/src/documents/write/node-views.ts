import type { NodeViewRendererProps } from '@tiptap/core'
import type { Node as PmNode } from '@tiptap/pm/model'
import type { NodeView } from '@tiptap/pm/view'
import { t } from '../../locales/text.ts'

/** A text that a node has as its attribute; empty without one. */
export function attributeOf(node: PmNode, name: string): string {
  const { [name]: value } = node.attrs as { [name: string]: unknown }
  return typeof value === 'string' ? value : ''
}

/** What a placeholder stands for now. */
export type ShownValue = {
  value: string | null
  state: 'filled' | 'empty' | 'unknown'
  name: string
}

/** How the values of a text are shown, for all of its placeholders at once. */
class Values {
  #values = new Map<string, ShownValue>()
  #isFilled = true
  readonly #views = new Set<() => void>()

  set(values: Map<string, ShownValue>, isFilled: boolean) {
    this.#values = values
    this.#isFilled = isFilled
    for (const show of this.#views) show()
  }

  /** Shows one whenever something changes, until the function that is returned is called. */
  follow(show: () => void): () => void {
    this.#views.add(show)
    return () => void this.#views.delete(show)
  }

  /** What stands in the text, and whether it is a value, empty, or no placeholder at all. */
  of(inner: string): { text: string; kind: string; label: string } {
    const known = this.#values.get(inner)
    const name = known?.name ?? inner
    if (!known) return { text: `{{${inner}}}`, kind: 'name', label: name }
    if (known.state === 'unknown') {
      return {
        text: `{{${inner}}}`,
        kind: 'unknown',
        label: t('{name} is no value', { name: inner }),
      }
    }
    if (known.value === null) {
      return {
        text: t('{name} is empty', { name }),
        kind: 'empty',
        label: t('{name} is empty', { name }),
      }
    }
    const text = this.#isFilled ? known.value : name
    return {
      text,
      kind: 'filled',
      label: t('{name}: {value}, value', { name, value: known.value }),
    }
  }
}

export const shownValues = new Values()

export function valueView({ node }: NodeViewRendererProps): NodeView {
  const dom = document.createElement('span')
  let inner = attributeOf(node, 'inner')
  const show = () => {
    const { text, kind, label } = shownValues.of(inner)
    dom.textContent = text
    dom.dataset.kind = kind
    dom.dataset.value = inner
    dom.setAttribute('role', 'img')
    dom.setAttribute('aria-label', label)
  }
  const unfollow = shownValues.follow(show)
  show()
  return {
    dom,
    update(next: PmNode) {
      if (next.type !== node.type) return false
      inner = attributeOf(next, 'inner')
      show()
      return true
    },
    ignoreMutation: () => true,
    destroy: unfollow,
  }
}

/** Who reads: their own side is called so. */
let reader = ''
export function readAs(name: string) {
  reader = name
}

/** Both sides of a choice, with what can be done: one of them, or both. */
export function choiceView({ node, view, getPos }: NodeViewRendererProps): NodeView {
  const dom = document.createElement('div')
  dom.className = 'choice'
  dom.setAttribute('role', 'group')
  dom.setAttribute('aria-label', t('Two people changed this'))
  const head = document.createElement('div')
  head.contentEditable = 'false'
  head.className = 'choice-head'
  const words = document.createElement('strong')
  words.textContent = t('Two people changed this. Choose what stays.')
  head.append(words)
  const contentDOM = document.createElement('div')
  contentDOM.className = 'sides'
  let current: PmNode = node
  const keep = (which: readonly number[]) => {
    const at = getPos()
    if (at === undefined) return
    const blocks = which.flatMap((side) => {
      const inside: PmNode[] = []
      current.child(side).forEach((each) => inside.push(each))
      return inside
    })
    view.dispatch(view.state.tr.replaceWith(at, at + current.nodeSize, blocks).scrollIntoView())
    view.focus()
  }
  const act = (label: string, which: readonly number[]) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label
    // the focus stays where it is until it is chosen
    button.addEventListener('mousedown', (event) => event.preventDefault())
    button.addEventListener('click', () => keep(which))
    head.append(button)
  }
  const isMine = (side: number) =>
    attributeOf(current.child(side), 'by') === reader && reader !== ''
  const mine = isMine(1) && !isMine(0) ? 1 : 0
  if (isMine(mine)) {
    act(t('Keep mine'), [mine])
    act(t('Take theirs'), [1 - mine])
  } else {
    act(t('Keep the first'), [0])
    act(t('Keep the second'), [1])
  }
  act(t('Keep both'), [1, 0])
  dom.append(head, contentDOM)
  return {
    dom,
    contentDOM,
    update(next: PmNode) {
      if (next.type !== node.type) return false
      current = next
      return true
    },
    stopEvent: (event) => head.contains(event.target as globalThis.Node),
    ignoreMutation: (mutation) => !contentDOM.contains(mutation.target),
  }
}

/** One side, with whose it is. */
export function sideView({ node }: NodeViewRendererProps): NodeView {
  const dom = document.createElement('section')
  dom.className = 'side'
  const by = attributeOf(node, 'by')
  const whose = by && by === reader ? t('Mine') : by || t('Theirs')
  dom.setAttribute('aria-label', whose)
  const label = document.createElement('div')
  label.contentEditable = 'false'
  label.className = 'whose'
  label.textContent = whose
  const contentDOM = document.createElement('div')
  dom.append(label, contentDOM)
  return { dom, contentDOM, ignoreMutation: (mutation) => !contentDOM.contains(mutation.target) }
}
