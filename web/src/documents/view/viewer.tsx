import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fileAddress, fileTextQuery, mostText } from '../../data/documents.ts'
import type { AnyRecord } from '../../data/record.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { PagesHandle } from './pages.tsx'
import { Pages } from './pages.tsx'
import type { Unreadable } from './pdf.ts'
import { usePdf } from './use-pdf.ts'
import { useWindow } from './use-window.ts'
import { ViewBar } from './view-bar.tsx'
import styles from './view.module.css'
import type { Zoom } from './zoom.ts'
import { pixels, scaleOf } from './zoom.ts'
import { t } from '../../locales/text.ts'

/** The file of a document as it is shown: a PDF, a picture, or a plain text; others can only be downloaded. */
export function Viewer({ id, record }: { id: string; record: AnyRecord }) {
  const { file_type: type, file_name: file } = record
  const name = typeof file === 'string' ? file : t('the file')
  if (type === 'application/pdf') return <PdfViewer id={id} name={name} />
  if (typeof type === 'string' && /^image\/(png|jpeg|gif|webp)$/.test(type)) {
    return <PictureViewer id={id} name={name} />
  }
  if (typeof type === 'string' && type.startsWith('text/plain')) return <TextViewer id={id} />
  return (
    <Empty icon="file" title={name} action={<Download id={id} />}>
      {t('A file of this kind cannot be shown here.')}
    </Empty>
  )
}

function Download({ id }: { id: string }) {
  return (
    <ButtonLink icon="download" href={fileAddress(id, true)} download>
      {t('Download')}
    </ButtonLink>
  )
}

function PdfViewer({ id, name }: { id: string; name: string }) {
  const { pdf, problem, retry } = usePdf(fileAddress(id, false))
  const [zoom, setZoom] = useState<Zoom>('width')
  const [scale, setScale] = useState(1)
  const [page, setPage] = useState(1)
  const pages = useRef<PagesHandle>(null)
  if (problem) return <UnreadableFile id={id} problem={problem} onRetry={retry} />
  if (!pdf) return <Opening />
  return (
    <div className={styles.viewer}>
      <Pages
        ref={pages}
        {...{ pdf, name, zoom }}
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
  )
}

/** Stands while a PDF is being opened. */
export function Opening() {
  return (
    <div className={styles.opening} aria-busy="true" aria-label={t('Opening the file')}>
      <Skeleton height="100%" />
    </div>
  )
}

/** Says why a PDF cannot be shown, and takes its password. */
export function UnreadableFile({
  id,
  problem,
  onRetry,
}: {
  id: string
  problem: Unreadable
  onRetry: (password?: string) => void
}) {
  const [password, setPassword] = useState('')
  if (problem === 'missing') {
    return (
      <Empty
        icon="circle-alert"
        title={t('The file could not be read')}
        action={<Button onClick={() => onRetry()}>{t('Try again')}</Button>}
      >
        {t('Check your connection.')}
      </Empty>
    )
  }
  if (problem === 'damaged') {
    return (
      <Empty
        icon="circle-alert"
        title={t('This file cannot be shown')}
        action={<Download id={id} />}
      >
        {t('It is damaged, or it is no PDF.')}
      </Empty>
    )
  }
  return (
    <form
      className={styles.password}
      onSubmit={(event) => {
        event.preventDefault()
        onRetry(password)
      }}
    >
      <h2>{t('This file needs a password')}</h2>
      <Field
        label={t('Password')}
        error={problem === 'wrong_password' ? t('does not open the file') : undefined}
      >
        <TextField type="password" autoComplete="off" value={password} onChange={setPassword} />
      </Field>
      <Button type="submit" variant="primary">
        {t('Open')}
      </Button>
    </form>
  )
}

function PictureViewer({ id, name }: { id: string; name: string }) {
  const room = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState<Zoom>('page')
  const [size, setSize] = useState<{ width: number; height: number }>()
  const [isBroken, setBroken] = useState(false)
  const window = useWindow(room)
  if (isBroken) return <UnreadableFile id={id} problem="damaged" onRetry={() => setBroken(false)} />
  // a pixel of a picture is one of the screen at 100 %
  const points = size && { width: size.width / pixels, height: size.height / pixels }
  const scale = points ? scaleOf(zoom, points, window) : 1
  return (
    <div className={styles.viewer}>
      <section ref={room} className={styles.room} tabIndex={0} aria-label={name}>
        <img
          src={fileAddress(id, false)}
          alt={name}
          className={styles.picture}
          style={points ? { width: Math.round(points.width * scale) } : { opacity: 0 }}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setSize({ width, height })
          }
          onError={() => setBroken(true)}
        />
      </section>
      <ViewBar page={1} pages={1} scale={scale} zoom={zoom} onZoom={setZoom} />
    </div>
  )
}

function TextViewer({ id }: { id: string }) {
  const [zoom, setZoom] = useState<Zoom>(1)
  const { data, error, refetch } = useQuery(fileTextQuery(id))
  if (error) {
    return <ReadFault title={t('The file could not be read')} error={error} onRetry={refetch} />
  }
  if (data === undefined) return <Opening />
  const factor = typeof zoom === 'number' ? zoom : 1
  return (
    <div className={styles.viewer}>
      <section className={styles.room} tabIndex={0} aria-label={t('Text of the file')}>
        <pre className={styles.plain} dir="auto" style={{ zoom: factor }}>
          {data}
        </pre>
        {data.length >= mostText ? (
          <p className={styles.cut}>{t('The rest is in the download.')}</p>
        ) : null}
      </section>
      <ViewBar page={1} pages={1} scale={factor * pixels} zoom={zoom} onZoom={setZoom} />
    </div>
  )
}
