import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../../api/client.ts'
import { api } from '../../api/client.ts'
import { keys } from '../../data/keys.ts'
import { notify } from '../../data/notices.ts'
import { queryClient } from '../../data/query-client.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Field } from '../../ui/field.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { t } from '../../locales/text.ts'
import styles from './share.module.css'

type Stored = AnswerOf<'/api/surveys/{id}/embed/', 'get'>

const keyOf = (survey: string) => [...keys.record('surveys', survey), 'embed']

/** How pages of other sites show the survey: one line of HTML, and the rules by which it appears there. */
export function Embed({ survey }: { survey: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(survey),
    queryFn: async () => (await api.get('/api/surveys/{id}/embed/', { path: { id: survey } })).data,
  })
  return (
    <Card title={t('On a page of yours')}>
      {data ? (
        // what others have changed is read anew
        <Rules key={data.version} stored={data} />
      ) : error ? (
        <ReadFault
          small
          title={t('How pages show it could not be read')}
          error={error}
          onRetry={refetch}
        />
      ) : (
        <SkeletonRows count={3} />
      )}
    </Card>
  )
}

function Rules({ stored }: { stored: Stored }) {
  const { survey_id: id, script, version } = stored
  const [rules, setRules] = useState(stored)
  const [pages, setPages] = useState(stored.pages.join('\n'))
  const [sites, setSites] = useState(stored.sites.join('\n'))
  const change = (next: Partial<Stored>) => setRules({ ...rules, ...next })
  const { submit, isBusy, problem } = useSubmit(async (next: Partial<Stored> = {}) => {
    const { is_active, kind, wait_seconds, scroll_percent, visitors_percent, again_after_days } = {
      ...rules,
      ...next,
    }
    const { data } = await api.put('/api/surveys/{id}/embed/', {
      path: { id },
      body: {
        is_active,
        kind,
        wait_seconds,
        scroll_percent,
        visitors_percent,
        again_after_days,
        pages: linesOf(pages),
        sites: linesOf(sites),
      },
      headers: { 'if-match': `"${version}"` },
    })
    queryClient.setQueryData(keyOf(id), data)
    notify({
      message: data.is_active
        ? t('Saved: pages follow within five minutes')
        : t('Saved: no page shows it'),
    })
  })
  const wrongPage = problem?.of('pages')
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Switch
        checked={rules.is_active}
        disabled={isBusy}
        onChange={(is_active) => {
          change({ is_active })
          submit({ is_active })
        }}
      >
        {t('Pages with its line show it')}
      </Switch>
      {script ? <Code wrap label={t('Copy the line')} code={script} /> : null}
      <Field label={t('Where it appears')}>
        <SegmentedControl
          value={rules.kind}
          options={[
            { value: 'inline', label: t('In the page') },
            { value: 'popup', label: t('As a popup') },
            { value: 'slide_in', label: t('At its lower edge') },
          ]}
          onChange={(kind) => change({ kind })}
        />
      </Field>
      <Field
        label={t('Only on these sites')}
        hint={t(
          'One in each line, such as www.example.com or *.example.com. No other site can show it. Without one, every site can.',
        )}
        error={problem?.of('sites')}
      >
        <TextArea value={sites} onChange={setSites} rows={2} />
      </Field>
      <Field
        label={t('Only on these pages')}
        hint={t('One in each line, such as /pricing or /shop/*. Without one, on all.')}
        error={wrongPage}
      >
        <TextArea value={pages} onChange={setPages} rows={2} />
      </Field>
      <div className={styles.numbers}>
        <Field label={t('Seconds to wait')} error={problem?.of('wait_seconds')}>
          <NumberField
            integer
            min={0}
            max={3600}
            value={rules.wait_seconds}
            onChange={(value) => change({ wait_seconds: value ?? 0 })}
          />
        </Field>
        <Field label={t('Scrolled to')} error={problem?.of('scroll_percent')}>
          <NumberField
            integer
            min={0}
            max={100}
            suffix="%"
            value={rules.scroll_percent}
            onChange={(value) => change({ scroll_percent: value ?? 0 })}
          />
        </Field>
        <Field label={t('Of all visitors')} error={problem?.of('visitors_percent')}>
          <NumberField
            integer
            min={1}
            max={100}
            suffix="%"
            value={rules.visitors_percent}
            onChange={(value) => change({ visitors_percent: value ?? 100 })}
          />
        </Field>
        <Field label={t('Again after days')} error={problem?.of('again_after_days')}>
          <NumberField
            integer
            min={1}
            max={365}
            placeholder={t('Never')}
            value={rules.again_after_days}
            onChange={(again_after_days) => change({ again_after_days })}
          />
        </Field>
      </div>
      {problem && !problem.fields.length ? (
        <p className={styles.warn} role="alert">
          {problem.message}
        </p>
      ) : null}
      <div className={styles.acts}>
        <Button type="submit" busy={isBusy}>
          {t('Save')}
        </Button>
      </div>
      <p className={styles.quiet}>
        {t(
          'It sets no cookie and stores nothing, so that it may be shown to the same visitor again. With data-consent in the line it notes in the browser that it was shown.',
        )}
      </p>
    </form>
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
