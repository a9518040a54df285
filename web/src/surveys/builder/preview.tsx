import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { BodyOf } from '../../api/client.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../data/keys.ts'
import { Choice } from '../../records/later-controls.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { languages } from '../starts.ts'
import type { Draft } from './draft.ts'
import { isEnding } from './draft.ts'
import type { Edited } from './use-draft.ts'
import styles from './builder.module.css'
import { t } from '../../locales/text.ts'

type Language = NonNullable<BodyOf<'/api/surveys/{id}/preview/', 'post'>>['language']

type Props = {
  id: string
  edited: Edited
  draft: Draft
  selected: string
  onSelect: (id: string) => void
}

/** The page of the survey as people will see it, with the draft: what is clicked there is selected here, and the other way round. */
export function Preview({ id, edited, draft, selected, onSelect }: Props) {
  const [size, setSize] = useState<'desktop' | 'phone'>('desktop')
  const [language, setLanguage] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const frame = useRef<HTMLIFrameElement>(null)
  const link = useQuery({
    queryKey: keys.list('surveys', { preview: id, language }),
    queryFn: async () => {
      const body = language ? { language: language as Language } : {}
      const options = { path: { id }, body, isRead: true }
      return (await api.post('/api/surveys/{id}/preview/', options)).data
    },
    // its address is there for ten minutes
    refetchInterval: 8 * 60_000,
    staleTime: 8 * 60_000,
  })
  const at = draft.pages.findIndex(
    (page) => page.id === selected || page.fields.some((each) => each.id === selected),
  )
  const page = Math.max(0, at) + 1
  const isEnd = selected === 'closing' || isEnding(draft, selected)
  const place = isEnd ? `ending=${encodeURIComponent(selected)}` : `page=${page}`
  const path = link.data && new URL(link.data.url).pathname
  const source = path && `${path}?${place}&version=${edited.version}&round=${round}`
  const show = useEffectEvent(() => {
    frame.current?.contentWindow?.postMessage({ select: selected }, location.origin)
  })
  const listen = useEffectEvent((event: MessageEvent<{ selected?: unknown; ready?: unknown }>) => {
    if (event.source !== frame.current?.contentWindow || event.origin !== location.origin) return
    if (event.data.ready) show()
    if (typeof event.data.selected === 'string') onSelect(event.data.selected)
  })
  useEffect(() => {
    const hear = (event: MessageEvent) => listen(event)
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])
  useEffect(() => show(), [selected])
  return (
    <section className={styles.preview} aria-label={t('Preview')}>
      <div className={styles.tools}>
        <SegmentedControl
          label={t('Size')}
          value={size}
          onChange={setSize}
          options={[
            { value: 'desktop', label: t('Desktop'), icon: 'monitor' },
            { value: 'phone', label: t('Phone'), icon: 'phone' },
          ]}
        />
        <Choice
          className={styles.language}
          label={t('Language of the page')}
          placeholder={t('My language')}
          clearable
          value={language}
          onChange={setLanguage}
          options={languages}
        />
        <span className={styles.note}>
          {t('This is the real page. Answers given here are not kept.')}
        </span>
        <Button variant="quiet" icon="rotate-ccw" onClick={() => setRound(round + 1)}>
          {t('Start again')}
        </Button>
        {source ? (
          <ButtonLink variant="quiet" icon="external-link" href={source} target="_blank">
            {t('Open')}
          </ButtonLink>
        ) : null}
      </div>
      {link.error && !source ? (
        <ReadFault
          small
          title={t('The preview needs a connection')}
          error={link.error}
          onRetry={link.refetch}
        />
      ) : source ? (
        <iframe
          ref={frame}
          title={t('Preview of the survey')}
          className={styles.frame}
          data-size={size}
          src={source}
        />
      ) : null}
    </section>
  )
}
