import type { Import } from '../data/imports.ts'
import { countWords } from '../data/session.ts'
import { Choice } from '../ui/choice.tsx'
import { Status } from '../ui/status.tsx'
import look from '../ui/table.module.css'
import type { Answers } from './answers.ts'
import styles from './import.module.css'
import { columnWords, rowsOf } from './words.ts'
import { t } from '../locales/text.ts'

type Props = { found: Import; onAnswer: (answers: Answers) => void }

/** Why rows cannot be imported, as far as they were tried. */
export function Refused({ found }: { found: Import }) {
  const { refused } = found
  if (!refused.length) return null
  return (
    <section className={styles.section} aria-labelledby="import-refused">
      <header>
        <h2 id="import-refused">{t('Rows that cannot be imported')}</h2>
      </header>
      <ul className={`${styles.errors} ${look.lines}`}>
        {refused.map(({ reason, column, rows, lines }) => (
          <li key={`${column} ${reason}`}>
            <span className={styles.lineNumber}>{rowsOf(rows)}</span>
            <span>
              {column ? <strong>{columnWords(found, column)}: </strong> : null}
              {reason}
              <small className={`${styles.reason} ${styles.lineNumber}`}>
                {linesOf(lines, rows)}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function linesOf(lines: number[], rows: number): string {
  const more = rows - lines.length
  const said = { lines: lines.join(', '), count: lines.length }
  return more > 0
    ? t('Line {lines} and {more} more | Lines {lines} and {more} more', {
        ...said,
        more: countWords(more),
      })
    : t('Line {lines} | Lines {lines}', said)
}

/** Rows that several records fit: which one each is. */
export function Questions({ found, onAnswer }: Props) {
  const { questions, options } = found
  if (!questions.length) return null
  const answer = (line: number, value: string | null) => {
    const { [line]: _answered, ...others } = options.answers ?? {}
    onAnswer({ answers: value === null ? others : { ...others, [line]: value } })
  }
  return (
    <section className={styles.section} aria-labelledby="import-questions">
      <header>
        <h2 id="import-questions">{t('Which records these rows are')}</h2>
      </header>
      <ul className={styles.questions}>
        {questions.map(({ line, text, candidates }) => (
          <li key={line} className={styles.pair}>
            <span>
              <small className={styles.lineNumber}>{t('Line {line}', { line })}</small> {text}
            </span>
            <Choice
              label={t('Which record line {line} is', { line })}
              placeholder={t('Not imported without an answer')}
              invalid={options.answers?.[line] === undefined}
              clearable
              value={options.answers?.[line] ?? null}
              options={[
                ...candidates.map(({ record_id, text: label }) => ({ value: record_id, label })),
                { value: 'new', label: t('A new record') },
                { value: 'skip', label: t('Leave the row out') },
              ]}
              onChange={(value) => answer(line, value)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A sample of the records that rows are about, by their names. */
export function Matches({ found }: { found: Import }) {
  const { matches } = found
  if (!matches.length) return null
  return (
    <section className={styles.section} aria-labelledby="import-matches">
      <header>
        <h2 id="import-matches">{t('Records that exist already')}</h2>
      </header>
      <ul className={`${styles.errors} ${look.lines}`}>
        {matches.map(({ line, is, text }) => (
          <li key={line}>
            <span className={styles.lineNumber}>{t('Line {line}', { line })}</span>
            <span className={styles.actions}>
              {text}
              <Status color={matchWords[is].color}>{matchWords[is].label}</Status>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const matchWords: {
  [is in Import['matches'][number]['is']]: { label: string; color: string }
} = {
  updates: { label: t('Is updated'), color: 'var(--info)' },
  skips: { label: t('Stays as it is'), color: 'var(--faint)' },
  same: { label: t('Says the same'), color: 'var(--faint)' },
  possible_duplicate: { label: t('Possible duplicate'), color: 'var(--warn)' },
}
