import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import { notify } from '../data/notices.ts'
import { useSubmit } from '../data/use-submit.ts'
import type { Person } from '../ui/avatar.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { capital } from '../ui/capital.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { PersonField } from '../ui/person-field.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import type { User } from './people-queries.ts'
import { findPeople, linksQuery } from './people-queries.ts'
import styles from './settings.module.css'
import { moduleWords } from '../data/module-words.ts'
import { t } from '../locales/text.ts'

type Props = { user: User; onDeactivate: () => void; onClose: () => void }

/** Shows what somebody who leaves is responsible for, and hands it over. */
export function DeactivateDialog({ user, onDeactivate, onClose }: Props) {
  const { data: links, error } = useQuery(linksQuery(user.user_id))
  const [to, setTo] = useState<Person | null>(null)
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (to) {
      const path = { id: user.user_id }
      const { data } = await api.post('/api/users/profile/{id}/hand-over/', {
        path,
        body: { to: to.id },
      })
      notify({
        message: t('Handed over to {name}', { name: to.name }),
        undo: () =>
          api
            .post('/api/users/hand-over/{hand_over_id}/undo/', {
              path: { hand_over_id: data.hand_over_id },
            })
            .then(() => undefined)
            .catch(notifyRefusal),
      })
    }
    onDeactivate()
    onClose()
  })
  return (
    <Dialog
      open
      size="large"
      onOpenChange={onClose}
      title={t('Deactivate {full_name}?', { full_name: user.full_name })}
      description={t(
        'They can no longer sign in. Their name stays on what they did, and you can activate them again.',
      )}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="danger" busy={isBusy}>
            {to ? t('Hand over and deactivate') : t('Deactivate')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {problem ? (
          <Banner kind="bad" boxed>
            {problem.message}
          </Banner>
        ) : null}
        {links === undefined && !error ? <SkeletonRows count={3} /> : null}
        {links?.total === 0 ? (
          <p>{t('{full_name} is responsible for nothing.', { full_name: user.full_name })}</p>
        ) : null}
        {links?.total ? (
          <>
            <p>
              {t(
                '{full_name} is responsible for {count} thing: | {full_name} is responsible for {count} things:',
                { full_name: user.full_name, count: links.total },
              )}
            </p>
            <Facts>
              {links.kinds.map(({ kind, count, names }) => (
                <Fact key={kind} label={capital(moduleWords(kind))}>
                  {`${count}${names.length ? `: ${names.join(', ')}${count > names.length ? ' …' : ''}` : ''}`}
                </Fact>
              ))}
            </Facts>
            <Field
              label={t('Hand over to')}
              optional
              hint={t('All of it, in one step. It can be undone for 30 days.')}
            >
              <PersonField
                value={to}
                onChange={setTo}
                search={async (q, signal) =>
                  (await findPeople(q, signal)).filter(({ id }) => id !== user.user_id)
                }
                clearable
              />
            </Field>
          </>
        ) : null}
      </div>
    </Dialog>
  )
}
