import type { Import, ImportValues } from '../data/imports.ts'
import { countWords } from '../data/session.ts'
import { searchPeople } from '../records/field/choices.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Icon } from '../ui/icons.tsx'
import { PersonField } from '../ui/person-field.tsx'
import styles from './import.module.css'
import type { Answers } from './answers.ts'
import { addedOption, chosenValue, suggestedValues } from './answers.ts'
import { columnWords } from './words.ts'
import { t } from '../locales/text.ts'

type Value = ImportValues['values'][number]
type Props = { found: Import; onAnswer: (answers: Answers) => void }

/** The words of stages, statuses, options and owners, each once: what it becomes, and how often it occurs. */
export function Values({ found, onAnswer }: Props) {
  const reports = found.value_report
  if (!reports.length) return null
  const suggested = suggestedValues(found)
  const count = Object.values(suggested).reduce((sum, each) => sum + Object.keys(each).length, 0)
  return (
    <section className={styles.section} aria-labelledby="import-values">
      <header>
        <h2 id="import-values">{t('What the values become')}</h2>
        {count ? (
          <Button
            size="small"
            onClick={() => onAnswer({ values: { ...found.options.values, ...suggested } })}
          >
            {t('Take the suggestion | Take the {number} suggestions', {
              number: countWords(count),
              count,
            })}
          </Button>
        ) : null}
      </header>
      {reports.map((report) => (
        <Column key={report.column} report={report} found={found} onAnswer={onAnswer} />
      ))}
    </section>
  )
}

function Column({ report, found, onAnswer }: Props & { report: ImportValues }) {
  const { column, values, more } = report
  const name = columnWords(found, column)
  return (
    <>
      <h3 className={styles.hint}>{name}</h3>
      <ul className={styles.columns} aria-label={t('Values of {name}', { name })}>
        {values.map((value) => (
          <Line
            key={value.value}
            value={value}
            column={name}
            report={report}
            onChoose={(becomes) => onAnswer(chosenValue(found, column, value.value, becomes))}
            onAdd={() => onAnswer(addedOption(found, column, value.value))}
          />
        ))}
      </ul>
      {more ? (
        <p className={styles.hint}>
          {t('And {number} more, each as it is.', { number: countWords(more) })}
        </p>
      ) : null}
    </>
  )
}

type LineProps = {
  value: Value
  column: string
  report: ImportValues
  onChoose: (becomes: string | null) => void
  onAdd: () => void
}

/** Choices of the select that are no values; no value of a file has a control character. */
const nothing = '\0nothing'
const another = '\0new'

function Line({ value, column, report, onChoose, onAdd }: LineProps) {
  const { choices, may_add } = report
  const suggestion = value.needs_choice ? value.suggestion : null
  const name = t('What {value} of {column} becomes', { value: value.value, column })
  const choose = (next: string | null) => {
    if (next === another) onAdd()
    else if (next !== null) onChoose(next === nothing ? null : next)
  }
  return (
    <li className={styles.column}>
      <div className={styles.from}>
        <strong>{value.value}</strong>
        <span className={styles.examples}>
          {t('Once | {times} times', { times: countWords(value.count), count: value.count })}
          {value.is_remembered ? ` · ${t('as you chose the last time')}` : ''}
        </span>
      </div>
      <Icon name="arrow-right" />
      <div className={styles.to}>
        {choices.length || may_add ? (
          <Choice
            label={name}
            placeholder={
              suggestion
                ? t('Perhaps {suggestion}', {
                    suggestion: value.suggestion_label ?? suggestion,
                  })
                : t('Choose')
            }
            invalid={value.needs_choice}
            value={value.is_new ? another : chosenOf(value)}
            options={[
              ...choices,
              ...(may_add
                ? [{ value: another, label: t('New option: {value}', { value: value.value }) }]
                : []),
              { value: nothing, label: t('Leave the cell empty') },
            ]}
            onChange={choose}
          />
        ) : (
          <PersonField
            label={name}
            placeholder={
              suggestion
                ? t('Perhaps {suggestion}', {
                    suggestion: value.suggestion_label ?? suggestion,
                  })
                : t('Nobody')
            }
            invalid={value.needs_choice}
            clearable
            search={searchPeople}
            value={personOf(value)}
            onChange={(person) => onChoose(person?.id ?? null)}
          />
        )}
        {suggestion ? (
          <div className={styles.actions}>
            <Button size="small" icon="check" onClick={() => onChoose(suggestion)}>
              {t('Take {suggestion}', {
                suggestion: value.suggestion_label ?? suggestion,
              })}
            </Button>
          </div>
        ) : null}
      </div>
    </li>
  )
}

function chosenOf({ becomes, needs_choice }: Value): string | null {
  if (needs_choice) return null
  return becomes ?? nothing
}

function personOf({ becomes, label, needs_choice }: Value) {
  if (needs_choice || becomes === null) return null
  return { id: becomes, name: label ?? becomes }
}
