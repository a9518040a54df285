import { Editor as Core } from '@tiptap/core'
import { Mention } from '@tiptap/extension-mention'
import { Placeholder } from '@tiptap/extensions'
import StarterKit from '@tiptap/starter-kit'
import type { SuggestionProps } from '@tiptap/suggestion'
import { useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { queryClient } from '../../data/query-client.ts'
import { Avatar, type Person } from '../../ui/avatar.tsx'
import popup from '../../ui/popup.module.css'
import { searchPeople } from '../field/choices.ts'
import look from '../html.module.css'
import styles from './editor.module.css'
import { rowsAsLines } from './pasted.ts'
import { t } from '../../locales/text.ts'

type Named = { user_id: string; full_name: string }

export type EditorProps = {
  label: string
  placeholder: string
  /** its initial content */
  html: string
  mentions: Named[]
  takesFocus: boolean
  onChange: (html: string, mentions: Named[]) => void
  onSend: () => void
  onLeave: () => void
}

type List = Pick<SuggestionProps<Person, { id: string; label: string }>, 'items' | 'command'> & {
  /** its place in the box, in pixels */
  top: number
  left: number
}

/** A box for formatted text, with `@` for people; Ctrl+Enter sends. */
export function Editor({
  label,
  placeholder,
  html,
  mentions,
  takesFocus,
  onChange,
  onSend,
  onLeave,
}: EditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const [list, setList] = useState<List>()
  const [active, setActive] = useState(0)
  /** A key while people are shown; whether it was one of theirs. */
  const byKey = useEffectEvent((event: KeyboardEvent): boolean => {
    const count = list?.items.length ?? 0
    if (event.key === 'Escape') {
      setList(undefined)
      return list !== undefined
    }
    if (!count) return false
    if (event.key === 'ArrowDown') setActive((active + 1) % count)
    else if (event.key === 'ArrowUp') setActive((active + count - 1) % count)
    else if (event.key === 'Tab' || (event.key === 'Enter' && !event.ctrlKey && !event.metaKey)) {
      const person = list?.items[active]
      if (person) list?.command({ id: person.id, label: person.name })
      return person !== undefined
    } else return false
    return true
  })
  /** A key of the text itself; whether it was one. */
  const byTextKey = useEffectEvent((event: KeyboardEvent): boolean => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend()
    else if (event.key === 'Escape' && !list) onLeave()
    else return false
    return true
  })
  const change = useEffectEvent(onChange)
  const create = useEffectEvent((element: HTMLDivElement) => {
    const show = ({ items, command, clientRect }: SuggestionProps<Person>) => {
      const at = clientRect?.()
      const around = element.getBoundingClientRect()
      setList({
        items,
        command,
        top: (at?.bottom ?? 0) - around.top + 4,
        left: Math.max(0, Math.min((at?.left ?? 0) - around.left, around.width - 240)),
      })
      setActive(0)
    }
    const editor = new Core({
      element,
      injectCSS: false,
      extensions: [
        StarterKit.configure({
          heading: false,
          horizontalRule: false,
          dropcursor: false,
          link: {
            openOnClick: false,
            defaultProtocol: 'https',
            isAllowedUri: (url) => /^https?:\/\/[^\s"<>]+$/i.test(url),
            HTMLAttributes: { rel: null, target: null, class: null },
          },
        }),
        Placeholder.configure({ placeholder }),
        Mention.configure({
          suggestion: {
            char: '@',
            items: ({ query }) => peopleNamed(query),
            render: () => ({
              onStart: show,
              onUpdate: show,
              onKeyDown: ({ event }) => byKey(event),
              onExit: () => setList(undefined),
            }),
          },
        }),
      ],
      content: withMentions(html, mentions),
      // the text of the replaced box may end with a blank
      parseOptions: { preserveWhitespace: true },
      editorProps: {
        attributes: {
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-label': label,
          class: `${styles.editor} ${look.html}`,
        },
        transformPastedHTML: rowsAsLines,
        handleKeyDown: (_, event) => byTextKey(event),
      },
      onUpdate: ({ editor: it }) => {
        const named: Named[] = []
        it.state.doc.descendants(({ type, attrs }) => {
          const { id, label: name } = attrs as { id?: string; label?: string }
          if (type.name === 'mention' && id && !named.some(({ user_id }) => user_id === id)) {
            named.push({ user_id: id, full_name: name ?? '' })
          }
        })
        change(it.isEmpty ? '' : it.getHTML(), named)
      },
    })
    if (takesFocus) {
      editor.commands.setTextSelection(editor.state.doc.content.size)
      // not by the editor's command, which waits for the next frame, so that keys until then would be lost
      editor.view.focus()
    }
    return editor
  })
  // before the next key: it replaces a box in which somebody may be typing
  useLayoutEffect(() => {
    // created once, from the initial content
    const editor = box.current && create(box.current)
    return () => editor?.destroy()
  }, [])
  const listId = useId()
  const activeId = list?.items.length ? `${listId} ${active}`.replaceAll(' ', '-') : undefined
  useLayoutEffect(() => {
    // the focus stays in the text while the arrows go through the list
    const text = box.current?.querySelector('[role=textbox]')
    if (activeId) text?.setAttribute('aria-activedescendant', activeId)
    else text?.removeAttribute('aria-activedescendant')
    if (list) text?.setAttribute('aria-controls', listId)
    else text?.removeAttribute('aria-controls')
  }, [activeId, list, listId])
  return (
    <div className={styles.frame}>
      <div ref={box} />
      {list ? (
        <div
          className={`${popup.popup} ${styles.people}`}
          style={{ top: list.top, left: list.left }}
        >
          <div
            className={popup.list}
            id={listId}
            role="listbox"
            aria-label={t('People to mention')}
          >
            {list.items.map((person, at) => (
              <div
                key={person.id}
                id={at === active ? activeId : undefined}
                role="option"
                tabIndex={-1}
                aria-selected={at === active}
                className={popup.item}
                {...(at === active ? { 'data-highlighted': '' } : {})}
                onPointerMove={() => setActive(at)}
                onMouseDown={(event) => {
                  event.preventDefault()
                  list.command({ id: person.id, label: person.name })
                }}
              >
                <Avatar name={person.name} image={person.image ?? null} size={20} />
                <span className={popup.words}>
                  <span className={popup.label}>{person.name}</span>
                </span>
              </div>
            ))}
          </div>
          {list.items.length ? null : <div className={popup.note}>{t('Nobody has this name')}</div>}
        </div>
      ) : null}
    </div>
  )
}

/** The first people whose name matches; cached for a minute. */
function peopleNamed(text: string): Promise<Person[]> {
  return queryClient
    .fetchQuery({
      queryKey: ['people', text],
      queryFn: ({ signal }) => searchPeople(text, signal),
      staleTime: 60_000,
    })
    .then((people) => people.slice(0, 7))
    .catch(() => [])
}

/** Converts the `span` with a name, as which the service stores a mention, back to a mention. */
function withMentions(html: string, mentions: Named[]): string {
  if (!mentions.length) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const span of body.querySelectorAll('span')) {
    const person = mentions.find(({ full_name: name }) => span.textContent === `@${name}`)
    if (!person) continue
    span.dataset.type = 'mention'
    span.dataset.id = person.user_id
    span.dataset.label = person.full_name
  }
  return body.innerHTML
}
