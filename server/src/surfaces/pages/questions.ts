import { html } from '../../kit/ground/html-template.ts'
import { webAddress } from '../../kit/ground/web-address.ts'
import type { Voice } from '../../model/languages/language.ts'
import type { AnsweredFile } from '../../model/surveys/responses/answers.ts'
import { isEmpty, longest, mostFilesOf } from '../../model/forms/rules.ts'
import type { Step } from '../../model/forms/formula.ts'
import type { Answers, FormField, Rule } from '../../model/forms/form-parts.ts'
import { askedParts, requiredParts } from '../../model/forms/answer-parts.ts'
import type { Html } from '../../kit/ground/html-template.ts'

type Form = { [name: string]: unknown }

/** How a question stands in its form, where it is more than by itself. */
export type Placed = {
  /** a text of it, with what goes into it */
  words?: (text: string) => Html
  /** the rules that depend on answers in the same form; what others say is decided already */
  rules?: Rule[]
  /** the steps of what is calculated, with numbers for answers that are not in the same form */
  steps?: Step[] | undefined
  /** what there is to choose from as files, instead of the respondent's own */
  files?: { id: string; name: string }[]
}

const asWritten = (text: string) => html`${text}`

/**
 * A question as part of a form, with what was answered and what is wrong with it. Each is labelled,
 * and a scale or a choice is a group of radio buttons, so that keyboards and screen readers find
 * their way.
 */
export function question(
  voice: Voice,
  field: FormField,
  value: unknown,
  failure?: string,
  { words = asWritten, rules = field.show_if ?? [], steps, files }: Placed = {},
): Html {
  const { say } = voice
  const id = `q-${field.id}`
  const { required = false, type } = field
  const label = words(field.label)
  const help = typeof field.description === 'string' ? field.description : ''
  const describedBy = [...(help ? [`${id}-help`] : []), ...(failure ? [`${id}-wrong`] : [])].join(
    ' ',
  )
  const description = describedBy ? html`aria-describedby="${describedBy}"` : ''
  const about = html`${help ? html`<p class="note" id="${id}-help">${words(help)}</p>` : ''}
  ${failure ? html`<p class="wrong" id="${id}-wrong">${failure}</p>` : ''}`
  const marks = html`data-question="${field.id}" data-type="${type}"
  ${rules.length ? html`data-show-if="${JSON.stringify(rules)}"` : ''}
  ${steps ? html`data-steps="${JSON.stringify(steps)}"` : ''}`
  const star = required ? html` <span class="quiet">${say('page.required')}</span>` : ''
  if (type === 'statement') {
    return html`<div ${marks}>
      <p class="statement">${label}</p>
      ${about}
    </div>`
  }
  if (type === 'calculated') {
    return html`<div class="question" ${marks}>
      <p class="label">${label}</p>
      ${about}
      <output>${isEmpty(value) ? '…' : String(value)}</output>
    </div>`
  }
  const labelled = (control: Html) =>
    html`<div class="question" ${marks}>
      <label for="${id}">${label}${star}</label>
      ${about} ${control}
    </div>`
  const grouped = (control: Html) =>
    html`<fieldset class="question" ${description} ${marks}>
      <legend>${label}${star}</legend>
      ${about} ${control}
    </fieldset>`
  const attributes = html`id="${id}" name="a.${field.id}" ${description}
  ${failure ? html`aria-invalid="true"` : ''} ${required ? html`required` : ''}`
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  switch (type) {
    case 'long-text':
      return labelled(
        html`<textarea ${attributes} ${hint(field)} rows="4" maxlength="${longest(field)}">
${text}</textarea>`,
      )
    case 'dropdown':
      return labelled(
        html`<select ${attributes}>
          <option value="">${say('survey.choose')}</option>
          ${(field.options ?? []).map(
            (option) =>
              html`<option value="${option.value}" ${option.value === value ? html`selected` : ''}>
                ${option.label}
              </option>`,
          )}
        </select>`,
      )
    case 'consent':
      return html`<div class="question" ${marks}>
        ${about}
        <label class="choice">
          <input type="checkbox" value="yes" ${attributes} ${value === true ? html`checked` : ''} />
          <span>${label}${star}</span>
        </label>
      </div>`
    case 'single-select':
      return grouped(radios(field, `a.${field.id}`, field.options ?? [], value, 'choices'))
    case 'multi-select':
      return grouped(checkboxes(field, value))
    case 'ratings':
    case 'csat':
    case 'ces':
    case 'nps':
      return grouped(
        html`${radios(field, `a.${field.id}`, scaleOf(field), text, 'scale')}${endsOf(voice, field)}`,
      )
    case 'matrix':
      return grouped(
        html`${(field.rows ?? []).map(
          (row) =>
            html`<fieldset class="row">
              <legend>${row.label}</legend>
              ${radios(field, `m.${field.id}.${row.value}`, field.options ?? [], (value as Form | undefined)?.[row.value], 'choices')}
            </fieldset>`,
        )}`,
      )
    case 'rating-matrix':
      return grouped(
        html`${(field.rows ?? []).map(
          (row) =>
            html`<fieldset class="row">
              <legend>${row.label}</legend>
              ${radios(field, `m.${field.id}.${row.value}`, scaleOf(field), String((value as Form | undefined)?.[row.value] ?? ''), 'scale')}
            </fieldset>`,
        )}${endsOf(voice, field)}`,
      )
    case 'yes-no': {
      const choices = [
        { value: 'yes', label: say('survey.yes') },
        { value: 'no', label: say('survey.no') },
      ]
      const chosen = typeof value === 'boolean' ? (value ? 'yes' : 'no') : value
      return grouped(radios(field, `a.${field.id}`, choices, chosen, 'choices'))
    }
    case 'contact':
    case 'address':
      return grouped(texts(voice, field, (value ?? {}) as Form))
    case 'signature':
      return grouped(signature(voice, field, (value ?? {}) as Form))
    case 'file':
      return grouped(filesOf(voice, field, value, files))
    case 'ranking':
      return grouped(ranking(voice, field, Array.isArray(value) ? (value as string[]) : []))
    default:
      return labelled(
        html`<input
          type="${inputs[type] ?? 'text'}"
          ${attributes}
          value="${text}"
          ${hint(field)}
          ${type === 'number' ? html`step="any"` : html`maxlength="${type === 'short-text' ? longest(field) : 1000}"`}
        />`,
      )
  }
}

/**
 * The answers to the questions on a page, from its submitted form; empty ones are absent. Files are those of `earlier`
 * answers that the form does not take away.
 */
export function answersIn(form: Form, fields: FormField[], earlier: Answers = {}): Answers {
  const answers: Answers = {}
  for (const field of fields) {
    const value = answerIn(form, field, earlier[field.id])
    if (value !== undefined) answers[field.id] = value
  }
  return answers
}

function answerIn(form: Form, field: FormField, earlier: unknown): unknown {
  const value = form[`a.${field.id}`]
  const first: unknown = Array.isArray(value) ? value[0] : value
  switch (field.type) {
    case 'statement':
    case 'calculated':
      return undefined
    case 'yes-no':
      return first === 'yes' || (first === 'no' ? false : first)
    case 'contact':
    case 'address':
      return textsIn(form, field.id, askedParts(field))
    case 'signature':
      return textsIn(form, field.id, ['name', 'path'])
    case 'file': {
      const removed = [form[`x.${field.id}`]].flat()
      const chosen = [value].flat().filter((id) => typeof id === 'string' && id)
      const kept = Array.isArray(earlier) ? (earlier as AnsweredFile[]) : []
      const files = [
        ...kept.filter(({ document_id }) => !removed.includes(document_id)),
        ...chosen.map((document_id) => ({ document_id })),
      ]
      return files.length ? files : undefined
    }
    case 'rating-matrix': {
      const rows = (field.rows ?? []).map(({ value: row }) => [row, form[`m.${field.id}.${row}`]])
      const answered = rows.filter(([, each]) => typeof each === 'string' && each)
      return answered.length
        ? Object.fromEntries(answered.map(([row, each]) => [row, Number(each)]))
        : undefined
    }
    case 'multi-select':
      return value === undefined ? undefined : [value].flat()
    case 'consent':
      return first === 'yes'
    case 'matrix': {
      const rows = (field.rows ?? []).map(({ value }) => [value, form[`m.${field.id}.${value}`]])
      const answered = rows.filter(([, each]) => typeof each === 'string' && each)
      return answered.length ? Object.fromEntries(answered) : undefined
    }
    case 'ranking': {
      const places = (field.options ?? [])
        .map(({ value }, index) => ({
          value,
          index,
          place: Number(form[`r.${field.id}.${value}`]),
        }))
        .filter(({ place }) => place > 0)
      const inOrder = places.toSorted((a, b) => a.place - b.place || a.index - b.index)
      return inOrder.length ? inOrder.map(({ value }) => value) : undefined
    }
    case 'single-select':
    case 'dropdown':
      // exactly one of the options
      return typeof first === 'string' && first ? first : undefined
    case 'number':
    case 'ratings':
    case 'nps':
    case 'csat':
    case 'ces': {
      if (typeof first !== 'string' || !first.trim()) return undefined
      const number = Number(first)
      return Number.isFinite(number) ? number : first
    }
    case 'url':
      return typeof first === 'string' && first.trim() ? wholeAddress(first.trim()) : undefined
    default:
      return typeof first === 'string' && first.trim() ? first.trim() : undefined
  }
}

function textsIn(form: Form, id: string, parts: readonly string[]): Answers | undefined {
  const texts = parts.flatMap((part) => {
    const text = form[`t.${id}.${part}`]
    return typeof text === 'string' && text.trim() ? [[part, text.trim()] as const] : []
  })
  return texts.length ? Object.fromEntries(texts) : undefined
}

/** A domain as people write it gets its scheme; any other text stays, to be checked. */
function wholeAddress(text: string): string {
  return /^https?:/i.test(text) || !webAddress(text) ? text : `https://${text}`
}

const inputs: { [type: string]: string } = {
  email: 'email',
  phone: 'tel',
  number: 'number',
  url: 'url',
  date: 'date',
  time: 'time',
}

type Option = { value: string; label: string }

function hint({ placeholder }: FormField): Html | string {
  return placeholder ? html`placeholder="${placeholder}"` : ''
}

const partHints: { [part: string]: [autocomplete: string, type: string] } = {
  first_name: ['given-name', 'text'],
  last_name: ['family-name', 'text'],
  email: ['email', 'email'],
  phone: ['tel', 'tel'],
  job_title: ['organization-title', 'text'],
  company: ['organization', 'text'],
  street: ['street-address', 'text'],
  postal_code: ['postal-code', 'text'],
  city: ['address-level2', 'text'],
  region: ['address-level1', 'text'],
  country: ['country-name', 'text'],
}

/** The fields of a contact or an address, which browsers fill. */
function texts({ say, has }: Voice, field: FormField, value: Form): Html {
  const needed = field.required ? requiredParts(field) : []
  return html`<div class="parts">
    ${askedParts(field).map((part) => {
      const [autocomplete = 'off', type = 'text'] = partHints[part] ?? []
      const id = `t-${field.id}-${part}`
      const key = `survey.part_${part}`
      return html`<div>
        <label for="${id}">${has(key) ? say(key) : part}</label>
        <input
          id="${id}"
          name="t.${field.id}.${part}"
          type="${type}"
          autocomplete="${autocomplete}"
          maxlength="255"
          value="${typeof value[part] === 'string' ? value[part] : ''}"
          ${needed.includes(part) ? html`required` : ''}
        />
      </div>`
    })}
  </div>`
}

/** A name that signs; with a script, it can be drawn, too. */
function signature({ say }: Voice, { id, required }: FormField, value: Form): Html {
  const name = typeof value.name === 'string' ? value.name : ''
  const path = typeof value.path === 'string' ? value.path : ''
  return html`<label for="t-${id}-name">${say('signing.name')}</label>
    <input
      id="t-${id}-name"
      name="t.${id}.name"
      autocomplete="name"
      maxlength="255"
      value="${name}"
      ${required ? html`required` : ''}
    />
    <div class="pad" data-pad hidden>
      <input type="hidden" name="t.${id}.path" value="${path}" />
      <svg viewBox="0 0 600 200" role="img" aria-label="${say('signing.pad')}">
        <path d="" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" />
      </svg>
      <button type="button">${say('signing.clear')}</button>
    </div>`
}

/** The files of an answer, each of which can be taken away, and a field for more; or those there are to choose from. */
function filesOf({ say }: Voice, field: FormField, value: unknown, offered: Placed['files']): Html {
  const { id, required } = field
  const answered = Array.isArray(value) ? (value as AnsweredFile[]) : []
  if (offered) {
    const chosen = answered.map(({ document_id }) => document_id)
    const options = offered.map((file) => ({ value: file.id, label: file.name }))
    return options.length
      ? checkboxes({ ...field, options }, chosen)
      : html`<p class="quiet">${say('survey.files_first')}</p>`
  }
  const most = mostFilesOf(field)
  return html`${
      answered.length
        ? html`<ul class="files">
            ${answered.map(
              ({ document_id, name }) =>
                html`<li>
                  <span>${name}</span>
                  <label class="choice">
                    <input type="checkbox" name="x.${id}" value="${document_id}" />
                    <span>${say('portal.remove')}</span>
                  </label>
                </li>`,
            )}
          </ul>`
        : ''
    }
    <label for="file-${id}" class="quiet">
      ${say('portal.files_note', { count: most, limit: 10 })}
    </label>
    <input
      id="file-${id}"
      name="file.${id}"
      type="file"
      ${most > 1 ? html`multiple` : ''}
      ${required && !answered.length ? html`required` : ''}
    />`
}

function scaleOf({ type, maxRating }: FormField): Option[] {
  const from = type === 'nps' ? 0 : 1
  const to = type === 'nps' ? 10 : (maxRating ?? (type === 'ces' ? 7 : 5))
  return Array.from({ length: to - from + 1 }, (_, step) => {
    const value = String(from + step)
    return { value, label: value }
  })
}

/**
 * The labels of the lowest and highest step of a scale: from the survey, else the usual ones for its
 * type. They are inside the group, below the steps.
 */
function endsOf({ say }: Voice, field: FormField): Html {
  const [low, high] = endLabels(field, say)
  if (!low && !high) return html``
  return html`<p class="ends"><span>${low}</span><span>${high}</span></p>`
}

function endLabels(field: FormField, say: Voice['say']): [low: string, high: string] {
  const { type, minLabel, maxLabel } = field
  if (minLabel || maxLabel) return [minLabel ?? '', maxLabel ?? '']
  if (type !== 'nps' && type !== 'csat' && type !== 'ces') return ['', '']
  return [say(`survey.${type}_low`), say(`survey.${type}_high`)]
}

function radios(
  { required }: FormField,
  name: string,
  options: Option[],
  value: unknown,
  look: 'choices' | 'scale',
): Html {
  return html`<div class="${look}">
    ${options.map(
      (option) =>
        html`<label class="choice">
          <input
            type="radio"
            name="${name}"
            value="${option.value}"
            ${required ? html`required` : ''}
            ${option.value === value ? html`checked` : ''}
          />
          <span>${option.label}</span>
        </label>`,
    )}
  </div>`
}

function checkboxes({ id, options }: FormField, value: unknown): Html {
  const chosen = Array.isArray(value) ? value : []
  return html`<div class="choices">
    ${options?.map(
      (option) =>
        html`<label class="choice">
          <input
            type="checkbox"
            name="a.${id}"
            value="${option.value}"
            ${chosen.includes(option.value) ? html`checked` : ''}
          />
          <span>${option.label}</span>
        </label>`,
    )}
  </div>`
}

/** A select for each rank, which needs neither script nor mouse. */
function ranking({ say }: Voice, field: FormField, value: string[]): Html {
  const { id } = field
  const options = field.options ?? []
  return html`${options.map((option) => {
    const place = value.indexOf(option.value) + 1
    const name = `r.${id}.${option.value}`
    return html`<label for="${name}">${option.label}</label>
      <select id="${name}" name="${name}">
        <option value="">${say('survey.no_place')}</option>
        ${options.map(
          (_, index) =>
            html`<option value="${index + 1}" ${place === index + 1 ? html`selected` : ''}>
              ${say('survey.place', { place: index + 1 })}
            </option>`,
        )}
      </select>`
  })}`
}
