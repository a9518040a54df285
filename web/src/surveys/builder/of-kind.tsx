import { askedParts } from '../../../../server/src/model/forms/answer-parts.ts'
import { stepsOf } from '../../../../server/src/model/forms/formula.ts'
import { withoutNames } from '../../../../server/src/model/forms/piping.ts'
import { Menu } from '../../records/later-controls.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Draft, Question } from './draft.ts'
import { isScale, named, numbersOf, questionsOf, shownFormula, storedFormula } from './draft.ts'
import styles from './builder.module.css'
import { t } from '../../locales/text.ts'

type Props = { draft: Draft; question: Question; set: (values: Partial<Question>) => void }

/** What only some kinds of questions have. */
export function OfKind({ draft, question, set }: Props) {
  const { type } = question
  if (type === 'contact') return <Contact question={question} set={set} />
  if (type === 'calculated') return <Formula {...{ draft, question, set }} />
  if (type === 'short-text' || type === 'long-text') {
    const most = type === 'short-text' ? 1000 : 20_000
    return <Most label={t('At most, in characters')} {...{ question, set, most }} />
  }
  if (type === 'file')
    return <Most label={t('At most, in files')} most={10} {...{ question, set }} />
  const isChoice = ['single-select', 'multi-select', 'dropdown'].includes(type)
  if (!isChoice && type !== 'ranking') return null
  return (
    <>
      {type === 'multi-select' ? (
        <Most label={t('At most, in choices')} most={1000} {...{ question, set }} />
      ) : null}
      <Switch
        apart
        checked={question.random_options ?? false}
        onChange={(random_options) => set({ random_options })}
      >
        {t('Choices in another order for each person')}
      </Switch>
      {isChoice ? <Quotas question={question} set={set} /> : null}
    </>
  )
}

type Own = Pick<Props, 'question' | 'set'>

function Most({ label, most, question, set }: Own & { label: string; most: number }) {
  const max = typeof question.max === 'number' ? question.max : null
  return (
    <Field label={label}>
      <NumberField
        integer
        min={1}
        max={most}
        value={max}
        placeholder={String(most)}
        onChange={(next) => set({ max: next })}
      />
    </Field>
  )
}

/** How many finished answers may have each choice. */
function Quotas({ question: { options }, set }: Own) {
  const all = options ?? []
  const isLimited = all.some(({ most }) => most)
  return (
    <>
      <Switch
        apart
        checked={isLimited}
        onChange={(next) =>
          set({ options: all.map((each) => ({ ...each, most: next ? 10 : null })) })
        }
      >
        {t('Choices can run out')}
      </Switch>
      {isLimited
        ? named(all).map(({ value, label, most = null }) => (
            <Field key={value} label={t('{choice}, at most', { choice: label })}>
              <NumberField
                integer
                min={1}
                value={most}
                placeholder={t('No limit')}
                onChange={(next) =>
                  set({
                    options: all.map((each) =>
                      each.value === value ? { ...each, most: next } : each,
                    ),
                  })
                }
              />
            </Field>
          ))
        : null}
    </>
  )
}

const parts = [
  { value: 'first_name', label: t('First name') },
  { value: 'last_name', label: t('Last name') },
  { value: 'email', label: t('Email') },
  { value: 'phone', label: t('Phone') },
  { value: 'job_title', label: t('Job title') },
  { value: 'company', label: t('Company') },
]

function Contact({ question, set }: Own) {
  const asked = askedParts(question)
  return (
    <>
      <fieldset className={styles.choices}>
        <legend>{t('Asks for')}</legend>
        {parts.map(({ value, label }) => (
          <Checkbox
            key={value}
            checked={asked.includes(value)}
            // one of them stays
            disabled={asked.length === 1 && asked.includes(value)}
            onChange={(next) =>
              set({
                parts: parts
                  .map((each) => each.value)
                  .filter((each) => (each === value ? next : asked.includes(each))),
              })
            }
          >
            {label}
          </Checkbox>
        ))}
      </fieldset>
      <Switch
        apart
        checked={question.adds_contact ?? false}
        onChange={(adds_contact) => set({ adds_contact })}
      >
        {t('Whoever is not known becomes a contact')}
      </Switch>
      <p className={styles.note}>
        {t('By a personal link, what the contact lacks is filled in. Nothing is overwritten.')}
      </p>
    </>
  )
}

/** Earlier questions whose answers are numbers, or count as such. */
function numericBefore(draft: Draft, id: string): Question[] {
  const all = questionsOf(draft)
  const before = all.slice(
    0,
    all.findIndex((each) => each.id === id),
  )
  return before.filter(
    ({ type }) => isScale(type) || ['number', 'calculated', 'yes-no'].includes(type),
  )
}

function Formula({ draft, question: { id, formula }, set }: Props) {
  const numbers = numbersOf(draft)
  const steps = stepsOf(formula ?? '')
  const earlier = numericBefore(draft, id)
  return (
    <>
      <Field
        label={t('Formula')}
        hint={t('Numbers of questions in braces, such as {example}, with + − * / and ( )', {
          example: '{1}',
        })}
        error={formula && typeof steps === 'string' ? t('Its formula is not complete') : undefined}
      >
        <TextField
          value={shownFormula(formula ?? '', numbers)}
          onChange={(next) => set({ formula: storedFormula(next.replaceAll('−', '-'), numbers) })}
          maxLength={1000}
        />
      </Field>
      {earlier.length ? (
        <Menu
          label={t('Insert an answer')}
          trigger={
            <Button size="small" variant="quiet" icon="plus">
              {t('Insert an answer')}
            </Button>
          }
          items={earlier.map((each) => ({
            label: `${numbers.get(each.id) ?? ''} ${withoutNames(each.label)}`,
            onSelect: () => set({ formula: `${formula ?? ''}{${each.id}}` }),
          }))}
        />
      ) : null}
    </>
  )
}

const people = [
  { name: 'contact.first_name', label: t('First name') },
  { name: 'contact.full_name', label: t('Full name') },
  { name: 'contact.job_title', label: t('Job title') },
  { name: 'contact.company', label: t('Company') },
  { name: 'account.name', label: t('Name of the account') },
  { name: 'account.owner', label: t('Owner of the account') },
]

type Insert = { draft: Draft; before: string; onInsert: (value: string) => void }

/** What a text may say of earlier answers and of the person who answers. */
export function InsertValue({ draft, before, onInsert }: Insert) {
  const numbers = numbersOf(draft)
  const all = questionsOf(draft)
  const at = all.findIndex((each) => each.id === before)
  const earlier = (at < 0 ? all : all.slice(0, at)).filter(
    ({ type }) => !['statement', 'consent', 'yes-no', 'matrix', 'rating-matrix'].includes(type),
  )
  return (
    <Menu
      label={t('Insert a value')}
      trigger={
        <Button size="small" variant="quiet" icon="braces">
          {t('Insert a value')}
        </Button>
      }
      items={[
        ...(earlier.length ? [{ kind: 'heading', label: t('Earlier answers') } as const] : []),
        ...earlier.map((each) => ({
          label: `${numbers.get(each.id) ?? ''} ${withoutNames(each.label)}`,
          onSelect: () => onInsert(`{{answers.${each.id}}}`),
        })),
        { kind: 'heading', label: t('By a personal link') } as const,
        ...people.map(({ name, label }) => ({
          label,
          onSelect: () => onInsert(`{{${name}}}`),
        })),
      ]}
    />
  )
}
