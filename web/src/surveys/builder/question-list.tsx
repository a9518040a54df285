import type { KeyboardEvent } from 'react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { withoutNames } from '../../../../server/src/model/forms/piping.ts'
import { notify } from '../../data/notices.ts'
import { Menu } from '../../records/later-controls.ts'
import { day } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { isTyping } from '../../ui/typing.ts'
import { iconOf, KindSign } from '../kind-sign.tsx'
import { kinds } from '../kinds.ts'
import { typeWords } from '../structure.ts'
import type { Draft, Ending, Question } from './draft.ts'
import {
  conditionWords,
  differencesOf,
  endingTitle,
  faultsOf,
  isEnding,
  numbersOf,
} from './draft.ts'
import { PasteDialog } from './paste.tsx'
import type { Acts } from './use-acts.ts'
import styles from './builder.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  acts: Acts
  draft: Draft
  /** undefined where it never was */
  published: Draft | undefined
}

/** The pages of a survey with their questions in their order, and its endings: a tree, by the pointer and by keys. */
export function QuestionList({ acts, draft, published }: Props) {
  const [isAdding, setAdding] = useState(false)
  const [pasted, setPasted] = useState<string>()
  const tree = useRef<HTMLUListElement>(null)
  const { selected } = acts
  useEffect(() => {
    const row = rowIn(tree.current, selected)
    row?.scrollIntoView({ block: 'nearest' })
    // the focus follows the selection while it is in the list
    if (tree.current?.contains(document.activeElement)) row?.focus()
  }, [selected])
  useShortcuts([
    { keys: '/', label: t('Add a question'), group: t('Survey'), run: () => setAdding(true) },
  ])
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain')
    if (!text?.trim() || isTyping(event.target)) return
    event.preventDefault()
    if (!acts.paste(text)) setPasted(text)
  })
  const copy = useEffectEvent((event: ClipboardEvent) => {
    if (!tree.current?.contains(document.activeElement)) return
    const text = acts.copied(selected)
    if (text === undefined) return
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    if (event.type === 'cut') acts.remove(selected)
    else notify({ message: t('Copied: paste it here or in another survey') })
  })
  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    addEventListener('paste', (event) => paste(event), { signal })
    addEventListener('copy', (event) => copy(event), { signal })
    addEventListener('cut', (event) => copy(event), { signal })
    return () => stopping.abort()
  }, [])
  const numbers = numbersOf(draft)
  const changed = new Set(published && differencesOf(published, draft).map(({ id }) => id))
  const faults = new Map(faultsOf(draft).map(({ id, message }) => [id, message]))
  const drag = useDrag(acts, draft)
  const format = useFormat()
  return (
    <section className={styles.list} aria-label={t('Questions')}>
      <div className={styles.listHead}>
        <h2>{t('Questions')}</h2>
        <span>{numbers.size}</span>
        <IconButton label={t('Paste a list')} icon="clipboard" onClick={() => setPasted('')} />
        <Menu
          open={isAdding}
          onOpenChange={setAdding}
          align="end"
          label={t('Kinds of questions')}
          trigger={<Button icon="plus">{t('Add')}</Button>}
          items={[
            ...kinds.flatMap(({ label, of }) => [
              { kind: 'heading', label } as const,
              ...of.map((type) => ({
                label: typeWords(type),
                icon: iconOf(type),
                onSelect: () => acts.addKind(type),
              })),
            ]),
            { kind: 'separator' },
            { label: t('New page from here'), icon: 'file', onSelect: () => acts.addPage() },
            { label: t('New ending'), icon: 'flag', onSelect: () => acts.addEnding() },
          ]}
        />
      </div>
      <ul
        ref={tree}
        role="tree"
        aria-label={t('Pages and questions')}
        onKeyDown={(event) => onKey(event, acts)}
      >
        {draft.pages.map((page, at) => (
          <li key={page.id} role="none">
            <Row acts={acts} id={page.id} level={1} {...drag.onPage(page.id)}>
              <span className={styles.pageName}>
                {t('Page {at}', { at: at + 1 })} <strong>{withoutNames(page.title)}</strong>
                {page.show_if?.length ? <small>{conditionWords(draft, page)}</small> : null}
              </span>
            </Row>
            <ul role="group">
              {page.fields.map((question, place) => (
                <li key={question.id} role="none">
                  <Row
                    acts={acts}
                    id={question.id}
                    level={2}
                    moves
                    {...drag.onQuestion(question, page.id, place)}
                  >
                    <QuestionWords
                      {...{ draft, question }}
                      number={numbers.get(question.id)}
                      isChanged={changed.has(question.id)}
                      fault={faults.get(question.id)}
                    />
                  </Row>
                </li>
              ))}
            </ul>
          </li>
        ))}
        {draft.endings.map((ending, at) => (
          <li key={ending.id} role="none">
            <Row acts={acts} id={ending.id} level={1} moves {...drag.onEnding(ending, at)}>
              <Icon name="grip" size={14} />
              <span className={styles.words}>
                <span>
                  <small>{t('Ending {at}', { at: at + 1 })} </small>
                  {endingTitle(ending)}
                </span>
                <small>{conditionWords(draft, ending, (date) => day(date, format))}</small>
                {faults.has(ending.id) ? <small data-fault>{faults.get(ending.id)}</small> : null}
              </span>
              {changed.has(ending.id) ? <Changed /> : null}
            </Row>
          </li>
        ))}
        <li role="none">
          <Row acts={acts} id="closing" level={1}>
            <span className={styles.pageName}>
              {t('Last ending')} <strong>{withoutNames(draft.texts.closing_title ?? '')}</strong>
              {faults.has('closing') ? <small data-fault>{faults.get('closing')}</small> : null}
            </span>
          </Row>
        </li>
        <li role="none">
          <Row acts={acts} id="survey" level={1}>
            <span className={styles.pageName}>{t('Introduction, colors')}</span>
          </Row>
        </li>
      </ul>
      {draft.pages.every(({ fields }) => !fields.length) ? (
        <p className={styles.note}>{t('Press / and add the first question, or paste a list.')}</p>
      ) : null}
      <p className={styles.keys}>
        <Kbd keys="/" /> {t('add')} <Kbd keys="Alt+ArrowUp" /> <Kbd keys="Alt+ArrowDown" />{' '}
        {`${t('move')} `}
        <Kbd keys="Mod+V" /> {t('list')}
      </p>
      {pasted === undefined ? null : (
        <PasteDialog text={pasted} onClose={() => setPasted(undefined)} onAdd={acts.add} />
      )}
    </section>
  )
}

const rowIn = (tree: Element | null, id: string) =>
  tree?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)

function onKey(event: KeyboardEvent<HTMLElement>, acts: Acts) {
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex((row) => row.dataset.row === acts.selected)
  const isUp = key === 'ArrowUp'
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 }[key]
  const mayMove = rows[at]?.dataset.moves !== undefined
  const next = to === undefined ? undefined : rows[to]?.dataset.row
  if (altKey && to !== undefined && mayMove) {
    acts.move(acts.selected, shiftKey ? (isUp ? 'page-up' : 'page-down') : isUp ? 'up' : 'down')
  } else if (next !== undefined && !altKey) acts.select(next)
  else if (key === 'Enter') document.querySelector<HTMLElement>('[data-first]')?.focus()
  else if (
    (key === 'Delete' || key === 'Backspace') &&
    !['closing', 'survey'].includes(acts.selected)
  ) {
    acts.remove(acts.selected)
  } else if ((ctrlKey || metaKey) && key.toLowerCase() === 'd' && mayMove) {
    acts.duplicate(acts.selected)
  } else return
  event.preventDefault()
}

type RowProps = {
  acts: Acts
  id: string
  level: 1 | 2
  /** whether it can be moved and duplicated by keys */
  moves?: boolean
  children: React.ReactNode
} & React.HTMLAttributes<HTMLDivElement>

function Row({ acts, id, level, moves, children, ...drag }: RowProps) {
  const isSelected = acts.selected === id
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={isSelected}
      tabIndex={isSelected ? 0 : -1}
      data-row={id}
      data-moves={moves ? '' : undefined}
      className={styles.row}
      onPointerDown={() => acts.select(id)}
      onFocus={({ currentTarget }) => {
        // where a menu gives the focus back to the row before, it belongs to the one that was added
        if (!isSelected) rowIn(currentTarget.closest('[role=tree]'), acts.selected)?.focus()
      }}
      {...drag}
    >
      {children}
    </div>
  )
}

function QuestionWords({
  draft,
  question,
  number,
  isChanged,
  fault,
}: {
  draft: Draft
  question: Question
  number: number | undefined
  isChanged: boolean
  fault: string | undefined
}) {
  const format = useFormat()
  const condition = conditionWords(draft, question, (date) => day(date, format))
  return (
    <>
      <Icon name="grip" size={14} />
      <KindSign type={question.type} />
      <span className={styles.words}>
        <span>
          {number === undefined ? null : <small>{number} </small>}
          {question.label ? withoutNames(question.label) : t('Without a text')}
          {question.required ? <small> *</small> : null}
        </span>
        {condition ? <small>{condition}</small> : null}
        {fault ? <small data-fault>{fault}</small> : null}
      </span>
      {isChanged ? <Changed /> : null}
    </>
  )
}

function Changed() {
  return (
    <span className={styles.changed} role="img" aria-label={t('Changed since it was published')} />
  )
}

/** Moves a question or an ending by the pointer: a line shows where it lands. */
function useDrag(acts: Acts, draft: Draft) {
  const [moving, setMoving] = useState<string>()
  const [over, setOver] = useState<{ id: string; isAfter: boolean }>()
  const end = () => {
    setMoving(undefined)
    setOver(undefined)
  }
  const mayLand = (id: string) =>
    moving !== undefined && isEnding(draft, id) === isEnding(draft, moving)
  const target = (id: string, drop: (isAfter: boolean) => void) => ({
    'data-drop': over?.id === id ? (over.isAfter ? 'after' : 'before') : undefined,
    onDragOver(event: React.DragEvent<HTMLElement>) {
      // endings stand among endings
      if (!mayLand(id)) return
      event.preventDefault()
      const { top, height } = event.currentTarget.getBoundingClientRect()
      const isAfter = event.clientY > top + height / 2
      if (over?.id !== id || over.isAfter !== isAfter) setOver({ id, isAfter })
    },
    onDrop(event: React.DragEvent<HTMLElement>) {
      event.preventDefault()
      if (moving && moving !== id) drop(over?.isAfter ?? true)
      end()
    },
  })
  const source = (id: string, label: string) => ({
    draggable: true,
    onDragStart(event: React.DragEvent<HTMLElement>) {
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', label)
      setMoving(id)
    },
    onDragEnd: end,
  })
  return {
    onPage: (page: string) => target(page, () => moving && acts.place(moving, { page, at: 0 })),
    onQuestion: ({ id, label }: Question, page: string, place: number) => ({
      ...target(id, (isAfter) => {
        if (!moving) return
        const { fields = [] } = draft.pages.find((each) => each.id === page) ?? {}
        const own = fields.findIndex((each) => each.id === moving)
        const before = own >= 0 && own < place ? 1 : 0
        acts.place(moving, { page, at: place + (isAfter ? 1 : 0) - before })
      }),
      ...source(id, label),
    }),
    onEnding: (ending: Ending, place: number) => ({
      ...target(ending.id, (isAfter) => {
        if (!moving) return
        const own = draft.endings.findIndex((each) => each.id === moving)
        acts.placeEnding(moving, place + (isAfter ? 1 : 0) - (own < place ? 1 : 0))
      }),
      ...source(ending.id, endingTitle(ending)),
    }),
  }
}
