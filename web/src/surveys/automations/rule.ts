import type { components } from '../../api/schema.d.ts'
import type { Clause } from '../../data/list.ts'
import type { Field } from '../../data/modules.ts'
import { isComplete, wordsOf, needsValue } from '../../records/filters/words.ts'
import { language, t } from '../../locales/text.ts'
import type { Question } from '../../records/answers/answer-value.tsx'

export type Automation = components['schemas']['SurveyAutomation']
export type Run = components['schemas']['SurveyAutomationRun']
export type Simulation = components['schemas']['SurveySimulation']
type Options = components['schemas']['SurveyAutomationOptions']
export type ActionType = components['schemas']['SurveyActionType']
export type Trigger = Automation['trigger']

/** The condition on who looks after the account, and how people are compared. */
const accountOwner = 'account.account_owner'
const ofPeople = ['eq', 'neq', 'in', 'not_in', 'is_empty', 'is_not_empty']

/** An action while it is written, which may lack parts of its `config`. */
export type Action = { type: ActionType; config: { [name: string]: unknown } }
/** What an automation does, while it is written. */
export type Rule = { name: string; trigger: Trigger; conditions: Clause[]; actions: Action[] }

export const triggerWords: { [type in Trigger['type']]: string } = {
  response_submitted: t('somebody answers'),
  score_below: t('a score is below a number'),
  score_above: t('a score is above a number'),
  published: t('the survey is published'),
  closed: t('the survey is closed'),
}

export const actionWords: { [type in ActionType]: string } = {
  create_task: t('create a task'),
  notify: t('notify people'),
  send_email: t('send a mail'),
  comment: t('write a comment'),
  add_tag: t('tag the contact'),
  update_field: t('set a field'),
  webhook: t('send the answer to an address'),
}

/** Whether a trigger compares a score with a number. */
export function hasScore({ type }: Trigger): boolean {
  return type === 'score_above' || type === 'score_below'
}

/** Whether a trigger is an answer, and not a move of the survey. */
export function isOfAnswer({ type }: Trigger): boolean {
  return type !== 'published' && type !== 'closed'
}

/** What an action begins with. */
export function newAction(type: ActionType): Action {
  const config = type === 'create_task' ? { of_account_owner: true, due_in_days: 2 } : {}
  return { type, config }
}

/** An automation as it is edited. */
export function ruleOf({ name, trigger, conditions, actions }: Automation): Rule {
  return { name, trigger, conditions: conditions as Clause[], actions: actions as Action[] }
}

const respondentWords: { [field: string]: string } = {
  score: t('The score'),
  respondent_email: t('The address of who answers'),
  'account.account_name': t('Name of the account'),
  'account.segment': t('Segment of the account'),
  [accountOwner]: t('Owner of the account'),
  'contact.full_name': t('Name of the contact'),
  'contact.job_title': t('Job title of the contact'),
}

/** The fields of conditions, as filters describe fields; `segments` are those that accounts have. */
export function conditionFields(
  conditions: Options['conditions'],
  questions: Question[],
  segments: Field['options'] = [],
): Field[] {
  return conditions.map(({ field, label, type, operators }) => {
    const about = questions.find(({ id }) => field === `answers.${id}`)
    const words = respondentWords[field] ?? label
    const options =
      field === 'account.segment'
        ? segments
        : (about?.options ?? []).map((each) => ({ ...each, color: null }))
    const isPerson = field === accountOwner
    return {
      name: field,
      label: words,
      type: isPerson ? 'user' : type === 'multi_select' ? 'list' : type,
      operators: isPerson ? operators.filter((each) => ofPeople.includes(each)) : operators,
      options: about?.type === 'matrix' ? [] : options,
      look: null,
      reference: null,
    } as unknown as Field
  })
}

/** What an automation still needs, by the path of the part that lacks it, as the service names it. */
export function missingOf({ trigger, conditions, actions }: Rule): Map<string, string> {
  const missing = new Map<string, string>()
  if (hasScore(trigger) && typeof trigger.value !== 'number') {
    missing.set('trigger.value', t('Say which number'))
  }
  conditions.forEach((each, at) => {
    if ('field' in each && !isComplete(each)) {
      missing.set(`conditions.${at}`, t('Say what it is compared with'))
    }
  })
  if (!actions.length) missing.set('actions', t('Add what follows'))
  actions.forEach(({ type, config }, at) => {
    const needs = (name: string, words: string) => {
      const value = config[name]
      const isThere = Array.isArray(value)
        ? value.length > 0
        : typeof value === 'string'
          ? value.trim() !== ''
          : value !== undefined && value !== null
      if (!isThere) missing.set(`actions.${at}.config.${name}`, words)
    }
    if (type === 'create_task') needs('title', t('Say what is to be done'))
    if (type === 'notify' && !config.account_owner) needs('user_ids', t('Choose who is notified'))
    if (type === 'comment') needs('text', t('Say what the comment says'))
    if (type === 'send_email') {
      if (config.to !== undefined) needs('to', t('Say to which address'))
      needs('subject', t('The mail needs a subject'))
      needs('message', t('The mail needs a text'))
    }
    if (type === 'add_tag') needs('tag', t('Say which tag'))
    if (type === 'update_field') {
      needs('field', t('Choose a field'))
      if (config.field) needs('value', t('Say what it is set to'))
    }
    if (type === 'webhook') needs('url', t('Say to which address'))
  })
  return missing
}

/** The ids of the people that a rule names. */
export function peopleIn({ actions, conditions }: Pick<Rule, 'actions' | 'conditions'>): string[] {
  const owners = conditions.flatMap((each) =>
    'field' in each && each.field === accountOwner ? [each.value ?? []].flat() : [],
  )
  const ids = actions.flatMap(({ type, config }) =>
    type === 'notify'
      ? (config.user_ids ?? [])
      : type === 'create_task'
        ? (config.owner ?? [])
        : [],
  )
  return [...new Set([...owners, ...(ids as unknown[])].map(String))]
}

const allOf = new Intl.ListFormat(language)

/** Parts of a sentence, joined. */
export function joined(parts: string[]): string {
  return allOf.format(parts)
}

/** What an automation does in one sentence. */
export function sentenceOf(
  rule: Pick<Rule, 'trigger' | 'conditions' | 'actions'>,
  fields: Field[],
  nameOf: (user: string) => string,
): string {
  const when = whenWords(rule.trigger, fields)
  const only = rule.conditions.map((each) => conditionWords(each, fields, nameOf))
  const what = rule.actions.map((each) => doneWords(each, nameOf))
  return t('{when}, {what}.', {
    when: only.length ? t('{when} and {conditions}', { when, conditions: joined(only) }) : when,
    what: what.length ? joined(what) : t('nothing follows'),
  })
}

function whenWords({ type, value, field_id }: Trigger, fields: Field[]): string {
  const question = fields.find(({ name }) => name === `answers.${field_id}`)?.label
  const shown = value ?? '…'
  if (type === 'score_below') {
    return question
      ? t('When the answer to “{question}” is below {value}', { question, value: shown })
      : t('When somebody answers with a score below {value}', { value: shown })
  }
  if (type === 'score_above') {
    return question
      ? t('When the answer to “{question}” is above {value}', { question, value: shown })
      : t('When somebody answers with a score above {value}', { value: shown })
  }
  if (type === 'published') return t('When the survey is published')
  return type === 'closed' ? t('When the survey is closed') : t('When somebody answers')
}

/** A condition in a few words: “How likely?” is at most 6. */
export function conditionWords(
  clause: Clause,
  fields: Field[],
  nameOf?: (user: string) => string,
): string {
  if (!('field' in clause)) return t('a group of conditions holds')
  const field = fields.find(({ name }) => name === clause.field)
  const parts = [
    field ? `“${field.label}”` : t('a deleted question'),
    wordsOf(clause.operator, field),
    needsValue(clause.operator) ? valueWords(clause.value, field, nameOf) : '',
  ]
  return parts.filter(Boolean).join(' ')
}

function valueWords(
  value: unknown,
  field: Field | undefined,
  nameOf?: (user: string) => string,
): string {
  if (Array.isArray(value)) {
    return joined(value.map((each: unknown) => valueWords(each, field, nameOf)))
  }
  if (typeof value === 'boolean') return value ? t('agreed') : t('not agreed')
  if (value === undefined || value === null || value === '') return '…'
  if (field?.type === 'user') return nameOf?.(String(value)) ?? '…'
  const label = field?.options.find((each) => String(each.value) === String(value))?.label
  return label ? `“${label}”` : String(value)
}

function doneWords({ type, config }: Action, nameOf: (user: string) => string): string {
  const text = (name: string) => String(config[name] || '…')
  switch (type) {
    case 'create_task': {
      const title = text('title')
      if (config.of_account_owner) {
        return t('create the task “{title}” for the account’s owner', { title })
      }
      return typeof config.owner === 'string'
        ? t('create the task “{title}” for {person}', { title, person: nameOf(config.owner) })
        : t('create the task “{title}”', { title })
    }
    case 'notify': {
      const ids = (config.user_ids ?? []) as string[]
      const people = [
        ...(config.account_owner ? [t('the account’s owner')] : []),
        ...ids.map(nameOf),
      ]
      return t('notify {people}', { people: people.length ? joined(people) : '…' })
    }
    case 'send_email':
      return config.to === undefined || config.to === 'respondent'
        ? t('mail “{subject}” to who answered', { subject: text('subject') })
        : t('mail “{subject}” to {address}', { subject: text('subject'), address: text('to') })
    case 'comment':
      return config.on === 'account'
        ? t('comment on the account: “{text}”', { text: text('text') })
        : t('comment on the contact: “{text}”', { text: text('text') })
    case 'add_tag':
      return t('tag the contact “{tag}”', { tag: text('tag') })
    case 'update_field':
      return config.module === 'companies'
        ? t('set a field of the contact’s company')
        : t('set a field of the contact')
    case 'webhook':
      return t('send the answer to {url}', { url: text('url') })
  }
}

/** What an automation would have done, all answers together: "made 7 tasks and mailed 3 people". */
export function totalWords({ totals }: Simulation): string {
  const words: { [type in ActionType]: (count: number) => string } = {
    create_task: (count) => t('made {count} task | made {count} tasks', { count }),
    notify: (count) => t('notified people {count} time | notified people {count} times', { count }),
    send_email: (count) => t('mailed {count} person | mailed {count} people', { count }),
    comment: (count) => t('written {count} comment | written {count} comments', { count }),
    add_tag: (count) => t('tagged {count} contact | tagged {count} contacts', { count }),
    update_field: (count) => t('set {count} field | set {count} fields', { count }),
    webhook: (count) => t('sent on {count} answer | sent on {count} answers', { count }),
  }
  return totals.length
    ? joined(totals.map(({ action, count }) => words[action](count)))
    : t('done nothing')
}

type Would = Simulation['effects'][number]['would'][number]

/** What would have come of an answer by one action; `isProblem` where nothing would. */
export function effectWords(
  { action, what, who, due_date, problem }: Would,
  dayWords: (day: string) => string,
): { words: string; isProblem: boolean } {
  const names = joined(who)
  if (problem) return { words: problemWords(problem, names), isProblem: true }
  const fine = (words: string) => ({ words, isProblem: false })
  switch (action) {
    case 'create_task': {
      if (!who.length) return { words: t('Task for nobody'), isProblem: true }
      return fine(
        due_date
          ? t('Task for {names}, due {day}', { names, day: dayWords(due_date) })
          : t('Task for {names}', { names }),
      )
    }
    case 'notify':
      return fine(t('Notification to {names}', { names }))
    case 'send_email':
      return fine(t('Mail to {names}', { names }))
    case 'comment':
      return fine(t('Comment on {names}', { names }))
    case 'add_tag':
      return fine(t('Tag “{tag}” for {names}', { tag: what, names }))
    case 'update_field':
      return fine(t('A field of {names} is set', { names }))
    case 'webhook':
      return fine(t('Sent to {url}', { url: what }))
  }
}

function problemWords(problem: NonNullable<Would['problem']>, names: string): string {
  switch (problem) {
    case 'no_address':
      return t('No mail: the address is not known')
    case 'opted_out':
      return t('No mail: {names} wants none', { names })
    case 'no_contact':
      return t('Nothing: no contact has the address')
    case 'no_company':
      return t('Nothing: the contact has no company')
    case 'no_account':
      return t('Nothing: the answer is about no account')
    case 'no_owner':
      return t('Nothing: no account with an owner')
    case 'not_allowed':
      return t('Nothing at all: your role may not do this')
    case 'has_tag':
      return t('Nothing: the contact has the tag already')
  }
}
