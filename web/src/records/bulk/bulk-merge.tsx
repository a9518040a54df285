import { useState } from 'react'
import type { Problem } from '../../api/problem.ts'
import { asProblem } from '../../api/problem.ts'
import { countOf } from '../../data/bulk.ts'
import type { MergeStrategy } from '../../data/merge.ts'
import { mergeRecords } from '../../data/merge.ts'
import type { Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, titleOf } from '../../data/record.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { RadioGroup } from '../../ui/radio.tsx'
import styles from './bulk-bar.module.css'
import { t } from '../../locales/text.ts'

type Props = { module: Module; records: AnyRecord[]; onClose: () => void; onMerged: () => void }

const strategies = [
  {
    value: 'fill_empty',
    label: t('Fill what is empty'),
    description: t('Its own values stay; empty fields are filled from the others'),
  },
  {
    value: 'primary_wins',
    label: t('Keep its values'),
    description: t('The values of the others are lost'),
  },
  {
    value: 'newest_wins',
    label: t('Take the newest values'),
    description: t('For each field the value that was changed last'),
  },
]

/** Asks which of the selected records remains when they become one. */
export function BulkMerge({ module, records, onClose, onMerged }: Props) {
  const [primary, setPrimary] = useState(() => records[0] && idOf(module, records[0]))
  const [strategy, setStrategy] = useState<MergeStrategy>('fill_empty')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const second = (record: AnyRecord) =>
    [record.primary_email, record.domain, record.job_title].find(
      (each): each is string => typeof each === 'string' && each !== '',
    )

  async function merge() {
    const record = records.find((each) => idOf(module, each) === primary)
    if (!record || !primary) return
    setBusy(true)
    setProblem(undefined)
    try {
      const others = records.map((each) => idOf(module, each)).filter((id) => id !== primary)
      await mergeRecords(module, { id: primary, title: titleOf(module, record) }, others, strategy)
      onMerged()
    } catch (error) {
      setProblem(asProblem(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Merge {records}', { records: countOf(module, records.length) })}
      description={t('Links, comments and activity of the others move to the one that remains.')}
      onSubmit={() => void merge()}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('Merge {many}', { many: module.word.many })}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        {problem ? (
          <Banner kind="bad" boxed>
            {problem.message}
          </Banner>
        ) : null}
        <Field label={t('The {one} that remains', { one: module.word.one })}>
          <RadioGroup
            value={primary ?? null}
            onChange={setPrimary}
            options={records.map((record) => {
              const description = second(record)
              return {
                value: idOf(module, record),
                label: titleOf(module, record),
                ...(description === undefined ? {} : { description }),
              }
            })}
          />
        </Field>
        <Field label={t('Its fields')}>
          <RadioGroup
            value={strategy}
            onChange={(next) => setStrategy(next as MergeStrategy)}
            options={strategies}
          />
        </Field>
      </div>
    </Dialog>
  )
}
