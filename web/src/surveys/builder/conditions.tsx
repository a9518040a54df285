import { Choice } from '../../records/later-controls.ts'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import type { Option } from '../../ui/option.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { scaleOf } from '../structure.ts'
import type { Condition, Draft, Question } from './draft.ts'
import {
  answerWords,
  comparisonsOf,
  comparisonWords,
  conditionOn,
  needsValue,
  numbersOf,
  questionsOf,
} from './draft.ts'
import type { Acts } from './use-acts.ts'
import styles from './builder.module.css'
import { inSentence, t } from '../../locales/text.ts'

type Props = { acts: Acts; draft: Draft; question: Question }

/** When a question is asked, as sentences about the questions before it. */
export function Conditions({ acts, draft, question }: Props) {
  const { id, show_if: all = [] } = question
  const numbers = numbersOf(draft)
  const questions = questionsOf(draft)
  const earlier = questions
    .slice(
      0,
      questions.findIndex((each) => each.id === id),
    )
    .filter(({ type }) => type !== 'statement')
  const set = (show_if: Condition[]) => acts.set(id, { show_if })
  const last = earlier.at(-1)
  return (
    <section className={styles.conditions} aria-label={t('When it is asked')}>
      <div>
        <h3>{t('When it is asked')}</h3>
        {last ? (
          <Button
            size="small"
            variant="quiet"
            icon="plus"
            onClick={() => set([...all, conditionOn(last)])}
          >
            {t('Add condition')}
          </Button>
        ) : null}
      </div>
      {all.length ? null : (
        <p className={styles.note}>
          {last ? t('Always.') : t('Always: there is no question before it.')}
        </p>
      )}
      {all.map((condition, at) => {
        const about = questions.find((each) => each.id === condition.field_id)
        const name = t('Condition {at}', { at: at + 1 })
        const change = (next: Condition) => set(all.with(at, next))
        return (
          // two conditions may be equal
          <div key={at} className={styles.condition}>
            <span>{at ? t('and') : t('Only if')}</span>
            <Choice
              label={t('{name}, question', { name })}
              value={condition.field_id}
              onChange={(next) => {
                const found = earlier.find((each) => each.id === next)
                if (found) change(conditionOn(found))
              }}
              options={withChosen(
                earlier.map((each) => ({
                  value: each.id,
                  label: `${numbers.get(each.id) ?? ''} ${each.label}`,
                })),
                condition.field_id,
                about ? `${numbers.get(about.id) ?? ''} ${about.label}` : t('A deleted question'),
              )}
            />
            <Choice
              label={t('{name}, comparison', { name })}
              value={condition.operator ?? 'eq'}
              onChange={(operator) => {
                if (!operator) return
                const usual = about && conditionOn(about).value
                const { value = usual, ...rest } = condition
                change(needsValue(operator) ? { ...rest, operator, value } : { ...rest, operator })
              }}
              options={withChosen(
                comparisonsOf(about?.type ?? ''),
                condition.operator ?? 'eq',
                comparisonWords(condition.operator),
              )}
            />
            {about && needsValue(condition.operator) ? (
              <Value name={t('{name}, answer', { name })} {...{ about, condition, change }} />
            ) : null}
            <IconButton
              label={t('Remove {name}', { name: inSentence(name) })}
              icon="x"
              size="small"
              onClick={() => set(all.toSpliced(at, 1))}
            />
          </div>
        )
      })}
    </section>
  )
}

/** Options with the one that is chosen, which may be none of them any more. */
function withChosen(options: Option[], value: string, label: string): Option[] {
  return options.some((each) => each.value === value) ? options : [...options, { value, label }]
}

function Value({
  name,
  about,
  condition,
  change,
}: {
  name: string
  about: Question
  condition: Condition
  change: (next: Condition) => void
}) {
  const scale = scaleOf(about.type, about)
  const text = String(condition.value ?? '')
  if (scale || about.options || about.type === 'consent') {
    const options = scale
      ? scale.map((each) => ({ value: String(each), label: String(each) }))
      : about.type === 'consent'
        ? [
            { value: 'true', label: t('agreed') },
            { value: 'false', label: t('not agreed') },
          ]
        : (about.options ?? [])
    const from = (next: string) =>
      scale ? Number(next) : about.type === 'consent' ? next === 'true' : next
    return (
      <Choice
        label={name}
        value={text}
        onChange={(next) => {
          if (next !== null) change({ ...condition, value: from(next) })
        }}
        options={withChosen(options, text, answerWords(about, condition.value))}
      />
    )
  }
  const set = (value: unknown) => change({ ...condition, value })
  if (about.type === 'number') {
    const number = text && Number.isFinite(Number(text)) ? Number(text) : null
    return <NumberField label={name} value={number} onChange={(next) => set(next ?? '')} />
  }
  if (about.type === 'date' || about.type === 'time') {
    return (
      <DateField
        label={name}
        kind={about.type}
        value={text || null}
        onChange={(next) => set(next ?? '')}
      />
    )
  }
  return <TextField label={name} value={text} onChange={set} />
}
