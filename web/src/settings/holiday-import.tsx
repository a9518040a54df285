import { useState } from 'react'
import { api } from '../api/client.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './settings.module.css'
import { t } from '../locales/text.ts'

/** Imports the public holidays of a country and a year as a set. */
export function HolidayImport({
  queryKey,
  onClose,
}: {
  queryKey: readonly unknown[]
  onClose: () => void
}) {
  const [country, setCountry] = useState('')
  const [state, setState] = useState('')
  const [year, setYear] = useState<number | null>(() => new Date().getFullYear())
  const { submit, isBusy, problem } = useSubmit(async () => {
    const { data } = await api.get('/api/holidays/holinfo/import/', {
      query: {
        country: country.trim().toUpperCase(),
        ...(state.trim() ? { state: state.trim().toUpperCase() } : {}),
        ...(year ? { year } : {}),
        save: true,
      },
    })
    await queryClient.invalidateQueries({ queryKey })
    notify({
      message: t('{count} holiday of {year} added | {count} holidays of {year} added', {
        count: data.holidays.length,
        year: data.year,
      }),
    })
    onClose()
  })
  const named = ['country', 'state', 'year']
  const isLoose = problem && !named.some((name) => problem.of(name))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Add a country')}
      description={t('Its public holidays of one year, as a set that you can change.')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!country.trim()}>
            {t('Add holidays')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {isLoose ? (
          <Banner kind="bad" boxed>
            {problem.message}
          </Banner>
        ) : null}
        <Field
          label={t('Country')}
          required
          hint={t('By its two letters, such as DE or US.')}
          error={problem?.of('country')}
        >
          <TextField value={country} onChange={setCountry} maxLength={2} autoComplete="off" />
        </Field>
        <Field
          label={t('State [region]')}
          optional
          hint={t('Such as BY or CA.')}
          error={problem?.of('state')}
        >
          <TextField value={state} onChange={setState} maxLength={10} autoComplete="off" />
        </Field>
        <Field label={t('Year')} error={problem?.of('year')}>
          <NumberField integer min={1970} max={2100} value={year} onChange={setYear} />
        </Field>
      </div>
    </Dialog>
  )
}
