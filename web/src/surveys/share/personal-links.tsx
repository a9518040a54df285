import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { levelOf, useSession } from '../../data/session.ts'
import { viewsQuery } from '../../data/views.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Field } from '../../ui/field.tsx'
import { t } from '../../locales/text.ts'
import styles from './share.module.css'

/** A file with a link for each contact, for mails that are sent elsewhere. */
export function PersonalLinks({ survey }: { survey: string }) {
  const session = useSession()
  const isAllowed = levelOf(session, 'contacts', 'read') !== 'none'
  const { data: views = [] } = useQuery({ ...viewsQuery('contacts'), enabled: isAllowed })
  const [view, setView] = useState<string | null>(null)
  if (!isAllowed) return null
  const query = (more: { [name: string]: string } = {}) =>
    new URLSearchParams({ ...(view ? { filter_id: view } : {}), ...more }).toString()
  const address = `/api/surveys/${survey}/links/export/`
  return (
    <Card title={t('A link for each person')}>
      <div className={styles.form}>
        <Field label={t('Contacts')}>
          <Choice
            value={view}
            clearable
            placeholder={t('All contacts')}
            options={views.map(({ filter_id, name }) => ({ value: filter_id, label: name }))}
            onChange={setView}
          />
        </Field>
        <div className={styles.acts}>
          <ButtonLink icon="download" href={`${address}?${query()}`} download>
            {t('Links as CSV')}
          </ButtonLink>
          <ButtonLink
            variant="quiet"
            icon="download"
            href={`${address}?${query({ format: 'xlsx' })}`}
            download
          >
            {t('As Excel file')}
          </ButtonLink>
        </div>
        <p className={styles.quiet}>
          {t(
            'Each takes one answer, with the name. Who wants no surveys, or no contact, is left out.',
          )}
        </p>
      </div>
    </Card>
  )
}
