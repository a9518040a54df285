import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { conflictOf, nameOfOther, sendIfUnchanged } from '../../data/change.ts'
import type { Field as FieldDescription } from '../../data/modules.ts'
import { notify } from '../../data/notices.ts'
import { useSession } from '../../data/session.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { ValueEditor } from '../../records/filters/condition-editor.tsx'
import { firstOperator, needsValue, wordsOf } from '../../records/filters/words.ts'
import { announce } from '../../ui/announce.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Choice } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { isFinal, requestKey } from '../share/request-key.ts'
import { scaleOf } from '../../records/answers/scale.ts'
import { ActionFields } from './action-fields.tsx'
import { DryRun } from './dry-run.tsx'
import type { Question } from '../../records/answers/answer-value.tsx'
import type { Automation, Rule, Simulation, Trigger } from './rule.ts'
import {
  actionWords,
  conditionWords,
  hasScore,
  isOfAnswer,
  missingOf,
  newAction,
  ruleOf,
  triggerWords,
} from './rule.ts'
import { keyOf, unsaved } from './unsaved.ts'
import { refreshAutomations } from './use-automations.ts'
import styles from '../share/share.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  survey: string
  questions: Question[]
  fields: FieldDescription[]
  /** null for a new one */
  automation: Automation | null
  onClose: () => void
}

const empty: Rule = {
  name: '',
  trigger: { type: 'response_submitted' },
  conditions: [],
  actions: [newAction('create_task')],
}

/** Writes an automation as a sentence, and tries it with the latest answers before it is stored. */
export default function Editor({ survey, questions, fields, automation, onClose }: Props) {
  const place = keyOf(survey, automation?.automation_id)
  const [{ begun, ...first }] = useState(() => {
    const fresh = automation ? ruleOf(automation) : empty
    return unsaved.of(place) ?? { begun: fresh, rule: fresh, version: automation?.version }
  })
  const [rule, setRule] = useState(first.rule)
  const [version, setVersion] = useState(first.version)
  const [isAsked, setAsked] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const [other, setOther] = useState<string | null>(null)
  const [tried, setTried] = useState<Simulation | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const isOver = useRef(false)
  const [key] = useState(requestKey)
  const me = useSession().user
  const isChanged = JSON.stringify(rule) !== JSON.stringify(begun)
  const holds = () => isChanged && !isOver.current
  // between the tabs of the survey nothing is lost
  const leaving = useBlocker({
    shouldBlockFn: ({ next }) => holds() && !next.pathname.includes(survey),
    enableBeforeUnload: holds,
    withResolver: true,
  })
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, button, [role=combobox]')?.focus()
  }, [])
  const missing = missingOf(rule)
  const change = (next: Partial<Rule>) => {
    const changed = { ...rule, ...next }
    setRule(changed)
    unsaved.set(place, { begun, rule: changed, version })
    setTried(null)
    saving.reset()
    trying.reset()
  }
  const close = () => {
    isOver.current = true
    unsaved.clear(place)
    onClose()
  }
  const saving = useSubmit(async () => {
    const body = { ...rule, name: rule.name.trim() || t('Automation') } as never
    if (!automation) {
      const created = { ...(body as Rule), is_active: false }
      await api
        .post('/api/surveys/{id}/automations_save/', {
          path: { id: survey },
          body: created as never,
          idempotencyKey: key.of(created),
        })
        .catch((error: unknown) => {
          if (isFinal(asProblem(error))) key.renew()
          throw error
        })
      notify({ message: t('Saved. It is off until you switch it on.') })
    } else {
      const path = { automation_id: automation.automation_id }
      const names = ['name', 'trigger', 'conditions', 'actions']
      await sendIfUnchanged(version, names, (headers) =>
        api.put('/api/surveys/automations/{automation_id}/', { path, body, headers }),
      ).catch((error: unknown) => {
        const conflict = conflictOf(asProblem(error))
        if (conflict) {
          setOther(nameOfOther(conflict))
          setVersion(conflict.current?.version as number | undefined)
        }
        throw error
      })
      notify({ message: t('Saved') })
    }
    await refreshAutomations(survey)
    close()
  })
  const trying = useSubmit(async () => {
    const { data } = await api.post('/api/surveys/{id}/automations/simulate/', {
      path: { id: survey },
      body: { automation: { ...rule, name: rule.name.trim() || undefined } as never },
    })
    setTried(data)
  })
  /** Goes on only with an automation that lacks nothing; otherwise what it lacks is said, and has the focus. */
  const complete = (then: () => void) => {
    if (!missing.size) return then()
    setAsked(true)
    announce([...missing.values()].join('. '))
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    )
  }
  const problem = saving.problem ?? trying.problem
  const errorAt = (path: string) =>
    (isAsked ? missing.get(path) : undefined) ??
    problem?.of(path) ??
    problem?.of(`automation.${path}`)
  const { trigger, conditions, actions } = rule
  const isAuthor = !automation || automation.created_by?.user_id === me.user_id
  const rest = problem && problem.status !== 412 && !hasPlace(problem.fields, rule)
  return (
    <Card as="h3" title={automation ? automation.name : t('New automation')}>
      <form
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          complete(saving.submit)
        }}
      >
        <Field label={t('Name')} error={errorAt('name')}>
          <TextField
            value={rule.name}
            maxLength={255}
            placeholder={t('Automation')}
            onChange={(name) => change({ name })}
          />
        </Field>
        <When
          trigger={trigger}
          questions={questions}
          error={errorAt('trigger.value') ?? errorAt('trigger')}
          onChange={(next) => change({ trigger: next })}
        />
        {isOfAnswer(trigger) || conditions.length ? (
          <>
            {conditions.map((condition, at) => {
              const name = t('Condition {at}', { at: at + 1 })
              const set = (next: typeof condition) =>
                change({ conditions: conditions.with(at, next) })
              const away = (
                <IconButton
                  label={t('Remove condition {at}', { at: at + 1 })}
                  icon="x"
                  size="small"
                  onClick={() => change({ conditions: conditions.toSpliced(at, 1) })}
                />
              )
              const field =
                'field' in condition
                  ? fields.find((each) => each.name === condition.field)
                  : undefined
              if (!('field' in condition) || !field) {
                return (
                  <Row key={at} word={t('and if')}>
                    {conditionWords(condition, fields)}
                    {away}
                  </Row>
                )
              }
              return (
                // two conditions may be equal
                <div key={at}>
                  <Row word={t('and if')}>
                    <div>
                      <Choice
                        label={t('{name}, question', { name })}
                        value={condition.field}
                        options={fields.map((each) => ({ value: each.name, label: each.label }))}
                        onChange={(next) => {
                          const found = fields.find((each) => each.name === next)
                          if (found) set({ field: found.name, operator: firstOperator(found) })
                        }}
                      />
                    </div>
                    <div>
                      <Choice
                        label={t('{name}, comparison', { name })}
                        value={condition.operator}
                        options={field.operators.map((operator) => ({
                          value: operator,
                          label: wordsOf(operator, field),
                        }))}
                        onChange={(operator) => {
                          if (operator) set({ field: field.name, operator })
                        }}
                      />
                    </div>
                    {needsValue(condition.operator) ? (
                      <div>
                        <ValueEditor
                          key={`${condition.field} ${condition.operator}`}
                          field={field}
                          condition={condition}
                          onChange={(value) => set({ ...condition, value })}
                        />
                      </div>
                    ) : null}
                    {away}
                  </Row>
                  <Problem words={errorAt(`conditions.${at}`)} />
                </div>
              )
            })}
            <div>
              <Button
                size="small"
                variant="quiet"
                icon="plus"
                disabled={conditions.length >= 50}
                onClick={() => {
                  const [first] = fields
                  if (!first) return
                  const added = { field: first.name, operator: firstOperator(first) }
                  change({ conditions: [...conditions, added] })
                }}
              >
                {t('Add condition')}
              </Button>
              <Problem words={errorAt('conditions')} isHidden={conditions.length > 0} />
            </div>
          </>
        ) : null}
        {actions.map((action, at) => (
          // two actions may be equal
          <div key={at} className={styles.form}>
            <Row word={at ? t('and') : t('then')}>
              <div>
                <Choice
                  label={t('Step {at}', { at: at + 1 })}
                  value={action.type}
                  options={Object.entries(actionWords).map(([value, label]) => ({
                    value,
                    label,
                  }))}
                  onChange={(next) => {
                    if (!next || next === action.type) return
                    const type = next as typeof action.type
                    change({ actions: actions.with(at, newAction(type)) })
                  }}
                />
              </div>
              <IconButton
                label={t('Remove step {at}', { at: at + 1 })}
                icon="x"
                size="small"
                onClick={() => change({ actions: actions.toSpliced(at, 1) })}
              />
            </Row>
            <ActionFields
              key={action.type}
              action={action}
              errorAt={(name) => errorAt(`actions.${at}.config.${name}`)}
              onChange={(config) => change({ actions: actions.with(at, { ...action, config }) })}
            />
          </div>
        ))}
        <Row word={actions.length ? '' : t('then')}>
          <Button
            size="small"
            variant="quiet"
            icon="plus"
            disabled={actions.length >= 20}
            onClick={() => change({ actions: [...actions, newAction('create_task')] })}
          >
            {t('Add step')}
          </Button>
          <Problem words={errorAt('actions')} isHidden={actions.length > 0} />
        </Row>
        {rest ? (
          <Banner kind="bad" boxed>
            {problem.message}
          </Banner>
        ) : null}
        {other ? (
          <Banner kind="warn" boxed>
            {t('{person} changed it meanwhile. Save again to put yours in its place.', {
              person: other,
            })}
          </Banner>
        ) : null}
        <div className={styles.acts}>
          {isOfAnswer(trigger) ? (
            <Button icon="history" busy={trying.isBusy} onClick={() => complete(trying.submit)}>
              {t('Try with the last 100 answers')}
            </Button>
          ) : (
            <p className={styles.quiet}>
              {t('It follows no answer, so there is none to try it with.')}
            </p>
          )}
          <span className={styles.acts}>
            <Button onClick={() => (isChanged ? setLeaving(true) : close())}>{t('Cancel')}</Button>
            <Button type="submit" variant="primary" busy={saving.isBusy}>
              {t('Save')}
            </Button>
          </span>
        </div>
        {isAuthor ? null : (
          <p className={styles.quiet}>
            {t('Now it has the rights of {person}. When you change what it does, it has yours.', {
              person: automation.created_by?.full_name ?? t('Somebody'),
            })}
          </p>
        )}
        <DryRun of={tried} />
      </form>
      <ConfirmDialog
        open={isLeaving || leaving.status === 'blocked'}
        onOpenChange={(open) => {
          if (open) return
          setLeaving(false)
          leaving.reset?.()
        }}
        title={t('Discard what you changed?')}
        confirm={t('Discard')}
        onConfirm={() => {
          const { proceed } = leaving
          close()
          proceed?.()
        }}
      />
    </Card>
  )
}

/** Whether every part that a refusal names stands in the form. */
function hasPlace(errors: { field: string }[], { conditions, actions }: Rule): boolean {
  const isShown = (path: string) =>
    /^(name|trigger|conditions|actions)(\.|$)/.test(path) &&
    !(path === 'conditions' && conditions.length) &&
    !(path === 'actions' && actions.length) &&
    !/^actions\.\d+(\.type|\.config)?$/.test(path)
  return (
    errors.length > 0 && errors.every(({ field }) => isShown(field.replace(/^automation\./, '')))
  )
}

function Row({ word, children }: { word: string; children: React.ReactNode }) {
  return (
    <div className={styles.acts}>
      {word ? <span className={styles.quiet}>{word}</span> : null}
      {children}
    </div>
  )
}

function Problem({ words, isHidden = false }: { words: string | undefined; isHidden?: boolean }) {
  return words && !isHidden ? <p className={styles.warn}>{words}</p> : null
}

type WhenProps = {
  trigger: Trigger
  questions: Question[]
  error: string | undefined
  onChange: (trigger: Trigger) => void
}

/** What starts an automation. */
function When({ trigger, questions, error, onChange }: WhenProps) {
  const scored = questions.filter(
    ({ type = '' }) => type === 'number' || scaleOf(type) !== undefined,
  )
  return (
    <>
      <Row word={t('When')}>
        <div>
          <Choice
            label={t('What starts it')}
            value={trigger.type}
            options={Object.entries(triggerWords).map(([value, label]) => ({ value, label }))}
            onChange={(next) => {
              if (!next) return
              const type = next as Trigger['type']
              onChange(hasScore({ type }) ? { ...trigger, type } : { type })
            }}
          />
        </div>
        {hasScore(trigger) ? (
          <>
            <div>
              <Choice
                label={t('Which score')}
                value={trigger.field_id ?? ''}
                options={[
                  { value: '', label: t('the mean of all scales') },
                  ...scored.map(({ id = '', label = '' }) => ({ value: id, label })),
                ]}
                onChange={(id) => {
                  const { field_id: _, ...others } = trigger
                  onChange(id ? { ...others, field_id: id } : others)
                }}
              />
            </div>
            <div>
              <NumberField
                label={trigger.type === 'score_below' ? t('Below') : t('Above')}
                prefix={trigger.type === 'score_below' ? t('Below') : t('Above')}
                invalid={Boolean(error)}
                value={trigger.value ?? null}
                onChange={(value) => {
                  const { value: _, ...others } = trigger
                  onChange(value === null ? others : { ...others, value })
                }}
              />
            </div>
          </>
        ) : null}
      </Row>
      <Problem words={error} />
    </>
  )
}
