import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SectionPage } from '../records/sections/section-page.tsx'
import { useSearchValue } from '../records/sections/use-search-value.ts'
import { capital } from '../ui/capital.ts'
import { Code } from '../ui/code.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { Empty } from '../ui/empty.tsx'
import { holdsTyped } from '../ui/holds.ts'
import { ItemRow, SettingGroup } from '../ui/setting.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Tag } from '../ui/tag.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './developers.module.css'
import { eventsQuery } from './queries.ts'
import { moduleWords } from '../data/module-words.ts'
import { t } from '../locales/text.ts'

/** Every event with its schema and a sample. */
export default function Events() {
  const { data: events } = useSuspenseQuery(eventsQuery)
  const [typed, setTyped] = useState('')
  const [name, setName] = useSearchValue('event')
  const [tab, setTab] = useState('sample')
  const fits = events.filter(({ event, summary }) => holdsTyped(`${event} ${summary}`, typed))
  const open = events.find(({ event }) => event === name)
  return (
    <SectionPage
      title={t('Events')}
      about={t(
        'The events that webhooks can deliver, with the content of a delivery. Samples are made up.',
      )}
    >
      <div className={styles.filters}>
        <TextField
          type="search"
          icon="search"
          label={t('Search events')}
          placeholder={t('Search events')}
          value={typed}
          onChange={setTyped}
        />
      </div>
      {Object.entries(Object.groupBy(fits, ({ module }) => module)).map(([module, all = []]) => (
        <SettingGroup key={module} title={capital(moduleWords(module))}>
          {all.map(({ event, summary, scopes, allowed }) => (
            <ItemRow
              key={event}
              name={
                <button type="button" onClick={() => setName(event)}>
                  <code>{event}</code>
                </button>
              }
              actions={scopes.map((scope) => (
                <Tag key={scope} neutral>
                  {scope}
                </Tag>
              ))}
            >
              {allowed ? summary : t('{summary} · your role may not read it', { summary })}
            </ItemRow>
          ))}
        </SettingGroup>
      ))}
      {fits.length ? null : (
        <Empty icon="search" title={t('No event matches')}>
          {t('Search by a record or by what happens to it, for example “deal” or “completed”.')}
        </Empty>
      )}
      {open ? (
        <Drawer open onOpenChange={() => setName()} title={open.event} description={open.summary}>
          <Tabs
            label={t('What a delivery contains')}
            value={tab}
            onChange={setTab}
            tabs={[
              {
                value: 'sample',
                label: t('Sample'),
                content: (
                  <Code code={JSON.stringify(open.sample, null, 2)} label={t('Copy the sample')} />
                ),
              },
              {
                value: 'schema',
                label: t('JSON Schema'),
                content: (
                  <Code code={JSON.stringify(open.schema, null, 2)} label={t('Copy the schema')} />
                ),
              },
            ]}
          />
        </Drawer>
      ) : null}
    </SectionPage>
  )
}
