import { useState } from 'react'
import type { Import, ImportCurrency } from '../data/imports.ts'
import { countWords } from '../data/session.ts'
import { DateField } from '../ui/date-field.tsx'
import { Field } from '../ui/field.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { RadioGroup } from '../ui/radio.tsx'
import type { Answers } from './answers.ts'
import styles from './import.module.css'
import { columnWords } from './words.ts'
import { t } from '../locales/text.ts'

type Props = { found: Import; onAnswer: (answers: Answers) => void }

/** Amounts in other currencies than the organization's: how many, and what happens to them. */
export function Currencies({ found, onAnswer }: Props) {
  const reports = found.currency_report
  if (!reports.length) return null
  return (
    <section className={styles.section} aria-labelledby="import-currencies">
      <header>
        <h2 id="import-currencies">{t('Amounts in other currencies')}</h2>
      </header>
      <ul className={styles.questions}>
        {reports.map((report) => (
          <Currency
            key={report.currency}
            report={report}
            columns={report.columns.map((column) => columnWords(found, column))}
            onChoose={(choice) => {
              const currencies = { ...found.options.currencies, [report.currency]: choice }
              onAnswer({ currencies })
            }}
          />
        ))}
      </ul>
    </section>
  )
}

type Choice = NonNullable<Import['options']['currencies']>[string]

function Currency({
  report,
  columns,
  onChoose,
}: {
  report: ImportCurrency
  columns: string[]
  onChoose: (choice: Choice) => void
}) {
  const { currency, amounts, choices, needs_choice } = report
  // to convert needs a rate, without which there is nothing to send yet
  const [isConverting, setConverting] = useState(report.as === 'convert')
  const chosen = isConverting ? 'convert' : needs_choice ? null : report.as
  return (
    <li>
      <Field
        label={t(
          '1 amount in {currency} ({columns}) | {amounts} amounts in {currency} ({columns})',
          { count: amounts, amounts: countWords(amounts), currency, columns: columns.join(', ') },
        )}
      >
        <RadioGroup
          value={chosen}
          invalid={needs_choice}
          options={choices.map(({ as, label }) => ({ value: as, label }))}
          onChange={(next) => {
            setConverting(next === 'convert')
            const as = choices.find((each) => each.as === next)?.as
            if (as && as !== 'convert') onChoose({ as })
          }}
        />
      </Field>
      {isConverting ? (
        <div className={styles.pair}>
          <Field label={t('1 {currency} in your currency', { currency })}>
            <NumberField
              value={report.rate}
              onChange={(rate) => {
                if (rate) onChoose({ as: 'convert', rate, rate_date: report.rate_date })
              }}
            />
          </Field>
          <Field label={t('Date of the rate')} optional>
            <DateField
              value={report.rate_date}
              disabled={report.rate === null}
              onChange={(rate_date) => onChoose({ as: 'convert', rate: report.rate, rate_date })}
            />
          </Field>
        </div>
      ) : null}
    </li>
  )
}
