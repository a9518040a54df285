import type { CSSProperties, ReactNode, Ref } from 'react'
import {
  memo,
  useCallback,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Hidden } from '../../ui/field.tsx'
import type { OpenPdf, Size } from './pdf.ts'
import { useWindow } from './use-window.ts'
import styles from './view.module.css'
import type { Zoom } from './zoom.ts'
import { around, nextZoom, pageAt, scaleOf, topsOf } from './zoom.ts'
import { t } from '../../locales/text.ts'

/** What a page can be told from outside. */
export type PagesHandle = {
  goTo(page: number): void
  /** brings a place of a page into sight, as parts of the page */
  reveal(page: number, place: { y: number; height: number }): void
  focus(): void
}

type Props = {
  pdf: OpenPdf
  name: string
  zoom: Zoom
  onZoom: (zoom: Zoom) => void
  onPage: (page: number) => void
  onScale: (scale: number) => void
  /** what lies on a page, whose coordinates are parts of it */
  overlay?: ((page: number, size: Size) => ReactNode) | undefined
  ref?: Ref<PagesHandle>
}

/** The pages of a PDF below one another. Only those near the window are drawn. */
export function Pages({ pdf, name, zoom, onZoom, onPage, onScale, overlay, ref }: Props) {
  const room = useRef<HTMLDivElement>(null)
  const { sizes, know } = useSizes(pdf)
  const window = useWindow(room)
  const widest = useMemo(
    () => sizes.reduce((one, other) => (other.width > one.width ? other : one), pdf.first),
    [sizes, pdf],
  )
  const scale = scaleOf(zoom, widest, window)
  const tops = useMemo(() => topsOf(sizes, scale), [sizes, scale])
  useSteady(room, tops)
  useCtrlWheel(room, scale, onZoom)
  const page = pageAt(tops, window.top + window.height / 3) + 1
  const reportPage = useEffectEvent(onPage)
  useEffect(() => reportPage(page), [page])
  const reportScale = useEffectEvent(onScale)
  useEffect(() => reportScale(scale), [scale])
  useImperativeHandle(ref, () => ({
    goTo: (to) => room.current?.scrollTo({ top: (tops[to - 1] ?? 0) - around }),
    reveal: (on, { y, height }) => {
      const own = (sizes[on - 1]?.height ?? 0) * scale
      const at = (tops[on - 1] ?? 0) + y * own
      const element = room.current
      if (!element) return
      const { scrollTop, clientHeight } = element
      const isSeen = at >= scrollTop + around && at + height * own <= scrollTop + clientHeight
      if (!isSeen) element.scrollTo({ top: at - clientHeight / 3 })
    },
    focus: () => room.current?.focus(),
  }))
  const [from, to] = [window.top - window.height, window.top + 2 * window.height]
  return (
    <section
      ref={room}
      className={styles.room}
      // scrolled by keys
      tabIndex={0}
      aria-label={t('Pages of {name}', { name })}
    >
      <div
        className={styles.all}
        style={{ height: tops.at(-1), minWidth: Math.round(widest.width * scale) + 2 * around }}
      >
        {sizes.map((size, at) => {
          const [top = 0, next = 0] = [tops[at], tops[at + 1]]
          const isNear = top < to && next > from
          return (
            <Page
              // pages have no ids and do not change their order
              key={at}
              pdf={pdf}
              number={at + 1}
              size={size}
              scale={scale}
              top={top}
              isNear={isNear}
              onSize={know}
            >
              {isNear ? overlay?.(at + 1, size) : null}
            </Page>
          )
        })}
      </div>
    </section>
  )
}

/** The sizes of all pages; those that were not read yet are taken to be like the first. */
function useSizes(pdf: OpenPdf) {
  const [known, setKnown] = useState<{ [page: number]: Size }>({})
  const know = useCallback((page: number, size: Size) => {
    setKnown((before) => {
      const was = before[page]
      const isSame = was?.width === size.width && was.height === size.height
      return isSame ? before : { ...before, [page]: size }
    })
  }, [])
  const sizes = useMemo(
    () => Array.from({ length: pdf.pages }, (_, at) => known[at + 1] ?? pdf.first),
    [pdf, known],
  )
  return { sizes, know }
}

/** What is at the top of the window stays there when pages get another size. */
function useSteady(room: { current: HTMLDivElement | null }, tops: number[]) {
  const before = useRef(tops)
  useLayoutEffect(() => {
    const was = before.current
    before.current = tops
    const element = room.current
    if (!element || was === tops) return
    const at = pageAt(was, element.scrollTop)
    const [top = 0, next = 1] = [was[at], was[at + 1]]
    const part = Math.max(0, element.scrollTop - top) / Math.max(1, next - top)
    const [newTop = 0, newNext = 0] = [tops[at], tops[at + 1]]
    if (element.scrollTop > around) element.scrollTo({ top: newTop + part * (newNext - newTop) })
  }, [room, tops])
}

function useCtrlWheel(
  room: { current: HTMLDivElement | null },
  scale: number,
  onZoom: (zoom: Zoom) => void,
) {
  const turn = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey) return
    event.preventDefault()
    onZoom(nextZoom(scale, event.deltaY < 0 ? 1 : -1))
  })
  useEffect(() => {
    const element = room.current
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [room])
}

type PageProps = {
  pdf: OpenPdf
  number: number
  size: Size
  scale: number
  top: number
  isNear: boolean
  onSize: (page: number, size: Size) => void
  children: ReactNode
}

/** A page; those that are far stay as they are when others are scrolled into sight. */
const Page = memo(function Page(props: PageProps) {
  const { pdf, number, size, scale, top, isNear, onSize, children } = props
  const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)]
  return (
    <div
      className={styles.page}
      role="group"
      aria-label={t('Page {number} of {pages}', { number, pages: pdf.pages })}
      data-page={number}
      style={{ top, width, height, marginInlineStart: -width / 2 }}
    >
      {isNear ? <Paper {...{ pdf, number, scale, onSize }} /> : null}
      {children}
    </div>
  )
})

/** What is drawn of a page; while it is drawn at another scale, the former picture is stretched. */
function Paper({
  pdf,
  number,
  scale,
  onSize,
}: Pick<PageProps, 'pdf' | 'number' | 'scale' | 'onSize'>) {
  const paper = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'blank' | 'drawn' | 'picture' | 'failed'>('blank')
  useEffect(() => {
    const leaving = new AbortController()
    const show = async () => {
      onSize(number, await pdf.sizeOf(number))
      const { picture, text, hasText } = await pdf.draw(number, scale, leaving.signal)
      text.className = styles.text ?? ''
      paper.current?.replaceChildren(picture, text)
      setState(hasText ? 'drawn' : 'picture')
    }
    show().catch(() => {
      if (!leaving.signal.aborted) setState('failed')
    })
    return () => leaving.abort()
  }, [pdf, number, scale, onSize])
  return (
    <>
      <div
        ref={paper}
        className={styles.paper}
        style={{ '--total-scale-factor': scale } as CSSProperties}
      />
      {state === 'picture' ? <Hidden>{t('Page {number} is a picture', { number })}</Hidden> : null}
      {state === 'failed' ? (
        <p className={styles.failed} role="alert">
          {t('This page cannot be shown. Download the file to read it.')}
        </p>
      ) : null}
    </>
  )
}
