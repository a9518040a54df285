import { withoutNames } from '../../../../server/src/model/forms/piping.ts'
import { Choice } from '../../records/later-controls.ts'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import type { Option } from '../../ui/option.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { scaleOf } from '../../records/answers/scale.ts'
import type { Condition, Draft, Ending, Question, QuestionPage, Rule } from './draft.ts'
import {
  answerWords,
  comparisonsOf,
  comparisonWords,
  conditionOn,
  isEnding,
  needsValue,
  numbersOf,
  questionsOf,
} from './draft.ts'
import type { Acts } from './use-acts.ts'
import styles from './builder.module.css'
import { inSentence, t } from '../../locales/text.ts'

type Props = { acts: Acts; draft: Draft; of: Question | QuestionPage | Ending }

/** A comparison in its line, and whether it or the one before is enough. */
type Row = { condition: Condition; isOr: boolean }

function rowsOf(rules: Rule[]): Row[] {
  return rules.flatMap((rule) => {
    const all = 'any' in rule ? rule.any : [rule]
    return all.map((condition, at) => ({ condition, isOr: at > 0 }))
  })
}

function rulesOf(rows: Row[]): Rule[] {
  const groups: Condition[][] = []
  for (const { condition, isOr } of rows) {
    const last = groups.at(-1)
    if (isOr && last) last.push(condition)
    else groups.push([condition])
  }
  return groups.flatMap((any): Rule[] => (any.length > 1 ? [{ any }] : any))
}

/** When a question or a page is asked, or an ending is shown, as sentences about the questions before it. */
export function Conditions({ acts, draft, of }: Props) {
  const { id } = of
  const all = rowsOf(of.show_if ?? [])
  const numbers = numbersOf(draft)
  const questions = questionsOf(draft)
  const page = draft.pages.findIndex((each) => each.id === id)
  const isLast = isEnding(draft, id)
  const own = questions.findIndex((each) => each.id === id)
  const before = isLast
    ? questions
    : page < 0
      ? questions.slice(0, own)
      : draft.pages.slice(0, page).flatMap(({ fields }) => fields)
  const earlier = before.filter(({ type }) => type !== 'statement')
  const set = (rows: Row[]) => {
    const show_if = rulesOf(rows)
    if (isLast) acts.setEnding(id, { show_if })
    else if (page < 0) acts.set(id, { show_if })
    else acts.setPage(id, { show_if })
  }
  const last = earlier.at(-1)
  const heading = isLast ? t('When it is shown') : t('When it is asked')
  return (
    <section className={styles.conditions} aria-label={heading}>
      <div>
        <h3>{heading}</h3>
        {last ? (
          <Button
            size="small"
            variant="quiet"
            icon="plus"
            onClick={() => set([...all, { condition: conditionOn(last), isOr: false }])}
          >
            {t('Add condition')}
          </Button>
        ) : null}
      </div>
      {all.length ? null : (
        <p className={styles.note}>
          {isLast
            ? t('It needs a condition: where none holds, the last ending is shown.')
            : last
              ? t('Always.')
              : t('Always: there is no question before it.')}
        </p>
      )}
      {all.map(({ condition, isOr }, at) => {
        const about = questions.find((each) => each.id === condition.field_id)
        const name = t('Condition {at}', { at: at + 1 })
        const change = (next: Condition) => set(all.with(at, { condition: next, isOr }))
        return (
          // two conditions may be equal
          <div key={at} className={styles.condition}>
            {at ? (
              <Choice
                label={t('{name}, joined by', { name })}
                value={isOr ? 'or' : 'and'}
                onChange={(next) => set(all.with(at, { condition, isOr: next === 'or' }))}
                options={[
                  { value: 'and', label: t('and') },
                  { value: 'or', label: t('or') },
                ]}
              />
            ) : (
              <span>{t('Only if')}</span>
            )}
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
                  label: `${numbers.get(each.id) ?? ''} ${withoutNames(each.label)}`,
                })),
                condition.field_id,
                about
                  ? `${numbers.get(about.id) ?? ''} ${withoutNames(about.label)}`
                  : t('A deleted question'),
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
  const isYesNo = about.type === 'consent' || about.type === 'yes-no'
  if (scale || about.options || isYesNo) {
    const options = scale
      ? scale.map((each) => ({ value: String(each), label: String(each) }))
      : isYesNo
        ? [true, false].map((each) => ({
            value: String(each),
            label: answerWords(about, each),
          }))
        : (about.options ?? [])
    const from = (next: string) => (scale ? Number(next) : isYesNo ? next === 'true' : next)
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
  if (about.type === 'number' || about.type === 'calculated') {
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
