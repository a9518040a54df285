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
        <h2 id="import-values">What the values become</h2>
        {count ? (
          <Button
            size="small"
            onClick={() => onAnswer({ values: { ...found.options.values, ...suggested } })}
          >
            {count === 1 ? 'Take the suggestion' : `Take the ${countWords(count)} suggestions`}
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
      <ul className={styles.columns} aria-label={`Values of ${name}`}>
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
      {more ? <p className={styles.hint}>And {countWords(more)} more, each as it is.</p> : null}
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
  const name = `What ${value.value} of ${column} becomes`
  const choose = (next: string | null) => {
    if (next === another) onAdd()
    else if (next !== null) onChoose(next === nothing ? null : next)
  }
  return (
    <li className={styles.column}>
      <div className={styles.from}>
        <strong>{value.value}</strong>
        <span className={styles.examples}>
          {value.count === 1 ? 'Once' : `${countWords(value.count)} times`}
          {value.is_remembered ? ' · as you chose the last time' : ''}
        </span>
      </div>
      <Icon name="arrow-right" />
      <div className={styles.to}>
        {choices.length || may_add ? (
          <Choice
            label={name}
            placeholder={suggestion ? `Perhaps ${value.suggestion_label ?? suggestion}` : 'Choose'}
            invalid={value.needs_choice}
            value={value.is_new ? another : chosenOf(value)}
            options={[
              ...choices,
              ...(may_add ? [{ value: another, label: `New option: ${value.value}` }] : []),
              { value: nothing, label: 'Leave the cell empty' },
            ]}
            onChange={choose}
          />
        ) : (
          <PersonField
            label={name}
            placeholder={suggestion ? `Perhaps ${value.suggestion_label ?? suggestion}` : 'Nobody'}
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
              {`Take ${value.suggestion_label ?? suggestion}`}
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
