import type { Editor } from '@tiptap/core'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { notifyRefusal } from '../../data/change.ts'
import { uploadPicture } from '../../data/written.ts'
import { valuesIn } from './html-blocks.ts'
import { attributeOf, readAs } from './node-views.ts'
import type { Offer, Offered } from './own-editor.ts'
import { createEditor, editedBlocks, show } from './own-editor.ts'
import type { Text } from './use-written.ts'
import { mergedText } from './use-written.ts'

/** A heading of the text, and where it stands. */
export type Heading = { text: string; level: number; at: number }

/** What is in the text now, for what stands around it. */
export type Seen = { headings: Heading[]; values: string[]; choices: number; undescribed: number }

const nothing: Seen = { headings: [], values: [], choices: 0, undescribed: 0 }
/** How long typing is waited for before it is stored. */
const pauseMs = 250

type Acts = { push: () => void; putPictures: (files: File[]) => void }
const noActs: Acts = { push: () => {}, putPictures: () => {} }

type Work = {
  draft: Text | undefined
  change: (next: (before: Text) => Text, label?: string) => void
}

/** The editor of a draft: what is typed goes into the draft, and what others write comes into the text. */
export function useEditor({
  work,
  me,
  label,
  className,
  isEditable,
  current,
  offers,
  onPublish,
}: {
  work: Work
  me: string
  label: string
  className: string
  isEditable: boolean
  current: () => string
  offers: (char: '{{' | '/', query: string) => Offer[]
  onPublish: () => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor>()
  const [offered, setOffered] = useState<Offered>()
  const [active, setActive] = useState(0)
  const [seen, setSeen] = useState(nothing)
  const [, setTick] = useState(0)
  /** what the page asks of the editor, once it is there */
  const [acts, setActs] = useState<Acts>(noActs)
  /** what editor and draft last had in common */
  const common = useRef<string[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isThere = work.draft !== undefined

  const push = useEffectEvent(() => {
    clearTimeout(timer.current)
    if (!editor || editor.isDestroyed) return
    const blocks = editedBlocks(editor)
    common.current = blocks
    work.change(
      (before) => (isSame(before.blocks, blocks) ? before : { ...before, blocks }),
      'text',
    )
    setSeen(seenIn(editor))
  })
  const onText = useEffectEvent((isOwn: boolean) => {
    clearTimeout(timer.current)
    if (isOwn) timer.current = setTimeout(push, pauseMs)
    else if (editor) setSeen(seenIn(editor))
  })
  const byKey = useEffectEvent((event: KeyboardEvent): boolean => {
    const count = offered?.items.length ?? 0
    if (event.key === 'Escape') {
      setOffered(undefined)
      return offered !== undefined
    }
    if (!count) return false
    if (event.key === 'ArrowDown') setActive((active + 1) % count)
    else if (event.key === 'ArrowUp') setActive((active + count - 1) % count)
    else if (event.key === 'Enter' || event.key === 'Tab') {
      const item = offered?.items[active]
      if (item) offered?.command(item)
    } else return false
    return true
  })
  const onKey = useEffectEvent((event: KeyboardEvent): boolean => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onPublish()
    else if (event.key === 'Escape' && !offered) {
      box.current?.closest('main')?.querySelector<HTMLElement>('[role=toolbar] button')?.focus()
    } else return false
    return true
  })
  const putPictures = useEffectEvent((files: File[], at?: number): boolean => {
    const put = async () => {
      for (const file of files) {
        const src = await uploadPicture(current(), file)
        const alt = ''
        const picture = { type: 'picture', attrs: { src, alt } }
        if (at === undefined) editor?.commands.insertContent(picture)
        else editor?.commands.insertContentAt(at, picture)
      }
    }
    put().catch(notifyRefusal)
    return true
  })
  const offersFor = useEffectEvent(offers)
  const create = useEffectEvent((element: HTMLElement) => {
    readAs(me)
    const blocks = work.draft?.blocks ?? []
    common.current = blocks
    return createEditor({
      element,
      label,
      blocks,
      isEditable,
      className,
      offers: (char, query) => offersFor(char, query),
      onOffered: (next) => {
        setOffered(next)
        setActive(0)
      },
      onOfferedKey: (event) => byKey(event),
      onKey: (event) => onKey(event),
      onFiles: (files, at) => putPictures(files, at),
      onText: (isOwn) => onText(isOwn),
      onState: () => setTick((before) => before + 1),
    })
  })
  useLayoutEffect(() => {
    if (!isThere || !box.current) return undefined
    const made = create(box.current)
    setEditor(made)
    setActs({ push: () => push(), putPictures: (files) => void putPictures(files) })
    setSeen(seenIn(made))
    return () => {
      clearTimeout(timer.current)
      made.destroy()
    }
  }, [isThere])
  const take = useEffectEvent((text: Text) => {
    if (!editor || editor.isDestroyed || isSame(text.blocks, common.current)) return
    const mine = editedBlocks(editor)
    const isOther = !isSame(mine, common.current)
    const was = { name: text.name, blocks: common.current }
    const now = isOther ? mergedText(was, { ...text, blocks: mine }, text, me).blocks : text.blocks
    common.current = text.blocks
    show(editor, now)
    if (isOther) push()
  })
  const { draft } = work
  useEffect(() => {
    if (draft) take(draft)
  }, [draft])
  useEffect(() => {
    editor?.setEditable(isEditable)
  }, [editor, isEditable])
  useEffect(() => {
    // before what is stored is sent for the last time
    const leave = () => push()
    addEventListener('pagehide', leave, { capture: true })
    addEventListener('beforeunload', leave, { capture: true })
    return () => {
      removeEventListener('pagehide', leave, { capture: true })
      removeEventListener('beforeunload', leave, { capture: true })
      push()
    }
  }, [])
  return { box, editor, seen, offered, active, setActive, acts }
}

function isSame(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at])
}

function seenIn(editor: Editor): Seen {
  const headings: Heading[] = []
  let choices = 0
  let undescribed = 0
  editor.state.doc.descendants((node, at) => {
    const { name } = node.type
    if (name === 'heading')
      headings.push({
        text: node.textContent,
        level: Number((node.attrs as { level?: number }).level),
        at,
      })
    if (name === 'choice') choices++
    if (name === 'picture' && !attributeOf(node, 'alt')) undescribed++
    return !['paragraph', 'heading', 'table'].includes(name)
  })
  return { headings, values: valuesIn(editor.state.doc), choices, undescribed }
}
