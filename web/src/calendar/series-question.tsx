import { useState } from 'react'
import type { Scope } from './moves.ts'
import { useSubmit } from '../data/use-submit.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { RadioGroup } from '../ui/radio.tsx'
import styles from './quick.module.css'
import { t } from '../locales/text.ts'

type Props = {
  title: string
  scopes: Scope[]
  run: (scope: Scope) => Promise<void>
  onClose: () => void
}

const labels: { [scope in Scope]: string } = {
  one: t('This one'),
  later: t('This and later ones'),
  all: t('All of the series'),
}

/** Asks which meetings of a series move. */
export default function SeriesQuestion({ title, scopes, run, onClose }: Props) {
  const [scope, setScope] = useState(scopes[0])
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (scope) await run(scope)
    onClose()
  })
  return (
    <Dialog
      open
      title={t('Move “{title}”', { title })}
      description={t('It repeats. Which meetings do you mean?')}
      onOpenChange={(open) => !open && onClose()}
      onSubmit={submit}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button variant="primary" type="submit" busy={isBusy}>
            {t('Move')}
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
        <RadioGroup
          label={t('Meetings of the series')}
          value={scope ?? null}
          options={scopes.map((value) => ({ value, label: labels[value] }))}
          onChange={(next) => setScope(scopes.find((each) => each === next))}
        />
      </div>
    </Dialog>
  )
}
