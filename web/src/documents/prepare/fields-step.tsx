import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { mustAct } from '../../data/signatures.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import type { PagesHandle } from '../view/pages.tsx'
import { Pages } from '../view/pages.tsx'
import type { OpenPdf, Size } from '../view/pdf.ts'
import { ViewBar } from '../view/view-bar.tsx'
import type { Zoom } from '../view/zoom.ts'
import { byArrow, FieldBox } from './field-box.tsx'
import { AtText } from './at-text.tsx'
import type { Found } from './found.ts'
import { fieldAt, foundIn, foundPlaces } from './found.ts'
import styles from './prepare.module.css'
import type { Kind, Placed, Preparation, Signer } from './preparation.ts'
import {
  aligned,
  changedBy,
  copiedTo,
  hueAt,
  inOrder,
  inside,
  kinds,
  nameOf,
  newKey,
  placedAt,
  withConditions,
} from './preparation.ts'
import { Properties } from './properties.tsx'
import { inSentence, t } from '../../locales/text.ts'

type Props = {
  id: string
  pdf: OpenPdf
  name: string
  preparation: Preparation
  change: (how: (before: Preparation) => Preparation) => void
  sizeOf: (page: number) => Size
  /** whether its pages are those of a text, which may have places for signatures */
  isWritten: boolean
  /** the field that is gone to first */
  start: string | undefined
  onRecipients: () => void
}

/** A field that follows the pointer or the arrows until it is set. */
type Ghost = { kind: Kind; page: number; x: number; y: number }

/** Fields over the pages: placed with the pointer, by keys alone, and by numbers. */
export function FieldsStep(props: Props) {
  const { id, pdf, name, preparation, change, sizeOf, isWritten, start, onRecipients } = props
  const { signers, fields } = preparation
  const filling = signers.filter(mustAct)
  const [current, setCurrent] = useState<string>()
  const signer = filling.find(({ key }) => key === current) ?? filling[0]
  const [chosen, setChosen] = useState<string[]>(start ? [start] : [])
  const [ghost, setGhost] = useState<Ghost>()
  const [dragged, setDragged] = useState<Placed | null>(null)
  const [zoom, setZoom] = useState<Zoom>('width')
  const [scale, setScale] = useState(1)
  const [page, setPage] = useState(1)
  const pages = useRef<PagesHandle>(null)
  const [toFocus, setToFocus] = useState<string | undefined>(start)
  const hueOf = (key: string) => hueAt(signers.findIndex((each) => each.key === key))
  useFocusOn(toFocus, fields, pages, () => setToFocus(undefined))

  const setFields = (how: (all: Placed[]) => Placed[]) =>
    change((before) => ({ ...before, fields: withConditions(how(before.fields)) }))
  const replace = (next: Placed[]) =>
    setFields((all) => all.map((each) => next.find(({ key }) => key === each.key) ?? each))
  const addAll = (added: Placed[]) => {
    const [first] = added
    if (!first) return
    setFields((all) => [...all, ...added])
    setChosen(added.map(({ key }) => key))
    setToFocus(first.key)
    if (added.length > 1) {
      return announce(t('{count} field placed | {count} fields placed', { count: added.length }))
    }
    announce(t('{label} set on page {page}', { label: kinds[first.kind].label, page: first.page }))
  }
  const add = (field: Placed) => addAll([field])
  const written = useWrittenPlaces(isWritten ? pdf : undefined, signers, (places) => {
    // the first time, each gets the field of whom it names
    if (preparation.fields.length) return
    addAll(
      places.flatMap(({ found, signer: whose }) =>
        whose ? [fieldAt(found, whose, sizeOf(found.page))] : [],
      ),
    )
  })
  const remove = (keys: string[]) => {
    setFields((all) => all.filter(({ key }) => !keys.includes(key)))
    setChosen([])
    pages.current?.focus()
  }
  const arm = (kind: Kind) => {
    if (!signer) return
    setGhost({ kind, page, x: 0.5, y: 0.4 })
    announce(t('{label}: move it with the arrows, set it with Enter', { label: kinds[kind].label }))
    pages.current?.focus()
  }
  const set = (at: Ghost, isMore: boolean) => {
    if (!signer) return
    add(placedAt(at.kind, { ...at, signer: signer.key }, sizeOf(at.page)))
    setGhost(isMore ? at : undefined)
  }
  const selected = fields.filter(({ key }) => chosen.includes(key))
  const duplicate = () => {
    const copies = selected.map((field) => ({
      ...changedBy(field, { x: 5, y: 5 }, sizeOf(field.page)),
      key: newKey(),
    }))
    setFields((all) => [...all, ...copies])
    setChosen(copies.map(({ key }) => key))
    setToFocus(copies[0]?.key)
  }
  const letters = (Object.keys(kinds) as Kind[]).map((kind) => ({
    keys: kinds[kind].key,
    label: kinds[kind].label,
    group: t('Fields'),
    run: () => arm(kind),
  }))
  useShortcuts([
    ...letters,
    { keys: 'Mod+D', label: t('Duplicate'), group: t('Fields'), run: duplicate },
    {
      keys: 'Mod+A',
      label: t('Choose all of the page'),
      group: t('Fields'),
      run: () => setChosen(fields.filter((each) => each.page === page).map(({ key }) => key)),
    },
    {
      keys: 'Arrows',
      label: t('Move by 1 mm, with Shift by 10, with Alt the size'),
      group: t('Fields'),
    },
  ])

  const onKey = (event: KeyboardEvent) => {
    const by = byArrow(event)
    if (by && selected.length) {
      event.preventDefault()
      event.stopPropagation()
      replace(selected.map((each) => changedBy(each, by, sizeOf(each.page))))
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      remove(chosen)
    } else if (event.key === 'Escape') setChosen([])
  }
  const onGhostKey = (event: KeyboardEvent) => {
    if (!ghost) return
    const by = byArrow({ key: event.key, shiftKey: event.shiftKey, altKey: false })
    if (by) {
      event.preventDefault()
      event.stopPropagation()
      const size = sizeOf(ghost.page)
      const moved = changedBy(
        { ...ghostField(ghost, size), x: ghost.x, y: ghost.y, width: 0, height: 0 },
        by,
        size,
      )
      setGhost({ ...ghost, x: moved.x, y: moved.y })
    } else if (event.key === 'PageDown' || event.key === 'PageUp') {
      const next = ghost.page + (event.key === 'PageDown' ? 1 : -1)
      if (next < 1 || next > pdf.pages) return
      event.preventDefault()
      setGhost({ ...ghost, page: next })
      pages.current?.goTo(next)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      event.stopPropagation()
      set(ghost, event.shiftKey)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      setGhost(undefined)
    }
  }

  if (!signer) {
    return (
      <div className={styles.sheet}>
        <h2>{t('Fields')}</h2>
        <p>{t('Fields are filled in by recipients who sign or approve.')}</p>
        <Button variant="primary" onClick={onRecipients}>
          {t('Add recipients')}
        </Button>
      </div>
    )
  }
  const whoseOf = (found: Found) =>
    written.find((each) => each.found.place === found.place)?.signer ?? signer.key
  const overlay = (number: number, size: Size) => (
    <PageFields
      {...{ number, size, ghost, chosen, dragged, signers, onKey, hueOf }}
      ghostHue={hueOf(signer.key)}
      fields={inOrder(fields).filter((each) => each.page === number)}
      onGhost={setGhost}
      onSet={set}
      onChoose={(key, isMore) =>
        setChosen((before) =>
          isMore
            ? before.includes(key)
              ? before.filter((each) => each !== key)
              : [...before, key]
            : [key],
        )
      }
      onNothing={() => setChosen([])}
      onDrag={setDragged}
      onChange={(field) => replace([field])}
    />
  )
  return (
    <div className={styles.placing}>
      <div className={styles.left}>
        <People {...{ signers, fields, hueOf }} current={signer.key} onChoose={setCurrent} />
        <Palette name={nameOf(signer, signers.indexOf(signer))} armed={ghost?.kind} onArm={arm} />
        <AtText {...{ id, pdf }} signer={signer.key} onPlace={addAll} />
        <FoundPlaces
          {...{ pdf, fields, written }}
          onPlace={(found) => add(fieldAt(found, whoseOf(found), sizeOf(found.page)))}
        />
      </div>
      <div className={styles.middle} onKeyDownCapture={ghost ? onGhostKey : undefined}>
        <Pages
          ref={pages}
          {...{ pdf, name, zoom, overlay }}
          onZoom={setZoom}
          onPage={setPage}
          onScale={setScale}
        />
        <ViewBar
          {...{ page, scale, zoom }}
          pages={pdf.pages}
          onZoom={setZoom}
          onPage={(to) => pages.current?.goTo(to)}
        />
      </div>
      <div className={styles.right}>
        <Properties
          chosen={selected}
          fields={fields}
          signers={signers}
          pages={pdf.pages}
          sizeOf={sizeOf}
          onChange={replace}
          onCopy={(to) => setFields((all) => copiedTo(all, selected, to))}
          onAlign={(how) => setFields((all) => aligned(all, chosen, how))}
          onRemove={() => remove(chosen)}
        />
      </div>
    </div>
  )
}

/** Brings a field into sight and puts the focus on it once it is on the page. */
function useFocusOn(
  key: string | undefined,
  fields: Placed[],
  pages: { current: PagesHandle | null },
  onDone: () => void,
) {
  const done = useEffectEvent(onDone)
  useEffect(() => {
    const field = fields.find((each) => each.key === key)
    if (!field) return undefined
    pages.current?.reveal(field.page, field)
    // the page may have to be drawn first
    let frame = 0
    const look = () => {
      const element = document.querySelector<HTMLElement>(`[data-field="${key}"]`)
      if (!element) return void (frame = requestAnimationFrame(look))
      element.focus({ preventScroll: true })
      done()
    }
    frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)
  }, [key, fields, pages])
}

function ghostField({ kind, page, x, y }: Ghost, size: Size): Placed {
  return placedAt(kind, { signer: '', page, x, y }, size)
}

type PageFieldsProps = {
  number: number
  size: Size
  fields: Placed[]
  ghost: Ghost | undefined
  ghostHue: string
  chosen: string[]
  dragged: Placed | null
  signers: Signer[]
  hueOf: (signer: string) => string
  onGhost: (ghost: Ghost) => void
  onSet: (ghost: Ghost, isMore: boolean) => void
  onChoose: (key: string, isMore: boolean) => void
  onNothing: () => void
  onDrag: (field: Placed | null) => void
  onChange: (field: Placed) => void
  onKey: (event: KeyboardEvent) => void
}

function PageFields(props: PageFieldsProps) {
  const { number, size, fields, ghost, ghostHue, chosen, dragged, signers, hueOf } = props
  const { onGhost, onSet, onChoose, onNothing, onDrag, onChange, onKey } = props
  const placeOf = ({ clientX, clientY, currentTarget }: PointerEvent | React.MouseEvent) => {
    const box = currentTarget.getBoundingClientRect()
    return { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height }
  }
  const shadow = ghost?.page === number ? inside(ghostField(ghost, size)) : undefined
  return (
    <div
      className={styles.fields}
      // by keys, fields are set and left in the frame around the pages
      role="presentation"
      data-armed={ghost ? true : undefined}
      onPointerMove={(event) => {
        if (ghost) onGhost({ ...ghost, page: number, ...placeOf(event) })
      }}
      onClick={(event) => {
        if (ghost) onSet({ ...ghost, page: number, ...placeOf(event) }, event.shiftKey)
        else onNothing()
      }}
    >
      {fields.map((each) => {
        const field = dragged?.key === each.key ? dragged : each
        const at = signers.findIndex(({ key }) => key === field.signer)
        return (
          <FieldBox
            key={field.key}
            field={field}
            others={fields.filter(({ key }) => key !== field.key)}
            signer={{ person: signers[at], at, hue: hueOf(field.signer) }}
            size={size}
            isChosen={chosen.includes(field.key)}
            onChoose={(isMore) => onChoose(field.key, isMore)}
            onDrag={onDrag}
            onChange={onChange}
            onKey={onKey}
          />
        )
      })}
      {shadow ? (
        <span
          className={styles.ghost}
          style={
            {
              left: `${shadow.x * 100}%`,
              top: `${shadow.y * 100}%`,
              width: `${shadow.width * 100}%`,
              height: `${shadow.height * 100}%`,
              '--hue': ghostHue,
            } as CSSProperties
          }
        >
          {kinds[shadow.kind].label}
        </span>
      ) : null}
    </div>
  )
}

function People({
  signers,
  fields,
  current,
  hueOf,
  onChoose,
}: {
  signers: Signer[]
  fields: Placed[]
  current: string
  hueOf: (signer: string) => string
  onChoose: (key: string) => void
}) {
  return (
    <section aria-labelledby="whose">
      <h2 id="whose">{t('Whose fields')}</h2>
      <ul className={styles.who}>
        {signers.map((signer, at) => {
          const { key, order } = signer
          if (!mustAct(signer)) return null
          const count = fields.filter((each) => each.signer === key).length
          return (
            <li key={key}>
              <button
                type="button"
                aria-pressed={key === current}
                style={{ '--hue': hueOf(key) } as CSSProperties}
                onClick={() => onChoose(key)}
              >
                <span className={styles.number}>{order}</span>
                <span className={styles.called}>{nameOf(signer, at)}</span>
                <small>
                  {count ? t('{count} field | {count} fields', { count }) : t('no fields')}
                </small>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Palette({
  name,
  armed,
  onArm,
}: {
  name: string
  armed: Kind | undefined
  onArm: (kind: Kind) => void
}) {
  return (
    <section aria-labelledby="palette">
      <h2 id="palette">{t('Fields for {name}', { name })}</h2>
      <p>{t('Choose one and click on the page, or press its letter, the arrows and Enter.')}</p>
      <div className={styles.palette}>
        {(Object.keys(kinds) as Kind[]).map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={armed === kind}
            aria-keyshortcuts={kinds[kind].key}
            onClick={() => onArm(kind)}
          >
            {kinds[kind].label}
            <span aria-hidden="true">
              <Kbd keys={kinds[kind].key.toUpperCase()} />
            </span>
          </button>
        ))}
      </div>
    </section>
  )
}

type WrittenPlace = ReturnType<typeof foundPlaces>[number]

/** The places for signatures in the text of a document; `onFound` is told of them once. */
function useWrittenPlaces(
  pdf: OpenPdf | undefined,
  signers: Signer[],
  onFound: (places: WrittenPlace[]) => void,
): WrittenPlace[] {
  const [places, setPlaces] = useState<Awaited<ReturnType<OpenPdf['places']>>>([])
  const toFound = (all: typeof places) => foundPlaces(all, signers.filter(mustAct))
  const found = useEffectEvent((all: typeof places) => onFound(toFound(all)))
  useEffect(() => {
    let isOver = false
    const look = async () => {
      const all = (await pdf?.places()) ?? []
      if (isOver || !all.length) return
      setPlaces(all)
      found(all)
    }
    // fields are placed by hand then
    look().catch(() => {})
    return () => {
      isOver = true
    }
  }, [pdf])
  return toFound(places)
}

/** How many pages are searched for words such as "Signature:". */
const mostSearched = 60

function FoundPlaces({
  pdf,
  fields,
  written,
  onPlace,
}: {
  pdf: OpenPdf
  fields: Placed[]
  written: WrittenPlace[]
  onPlace: (found: Found) => void
}) {
  const [inWords, setFound] = useState<Found[]>([])
  useEffect(() => {
    let isOver = false
    const search = async () => {
      for (let page = 1; page <= Math.min(pdf.pages, mostSearched) && !isOver; page++) {
        const here = foundIn(await pdf.wordsOf(page), page)
        if (here.length && !isOver) setFound((before) => [...before, ...here])
      }
    }
    // nothing is lost where a page cannot be read: fields are placed by hand
    search().catch(() => {})
    return () => {
      isOver = true
    }
  }, [pdf])
  const found = [...written.map((each) => each.found), ...inWords]
  if (!found.length) return null
  const isThere = ({ kind, page, place, isWritten }: Found) =>
    fields.some(
      (field) =>
        field.kind === kind &&
        field.page === page &&
        Math.abs(field.y - place.y) < 0.06 &&
        (!isWritten || Math.abs(field.x - place.x) < 0.06),
    )
  return (
    <section aria-labelledby="found">
      <h2 id="found">{t('Found in the text')}</h2>
      <ul className={styles.found}>
        {found.map((each) => (
          <li key={`${each.page} ${each.place.x} ${each.place.y}`}>
            <span>
              “{each.text}” <small>{t('page {page}', { page: each.page })}</small>
            </span>
            {isThere(each) ? (
              <small>{t('placed')}</small>
            ) : (
              <Button
                size="small"
                variant="quiet"
                aria-label={t('Place {label} at “{text}” on page {page}', {
                  label: inSentence(kinds[each.kind].label),
                  text: each.text,
                  page: each.page,
                })}
                onClick={() => onPlace(each)}
              >
                {t('Place [verb]')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
