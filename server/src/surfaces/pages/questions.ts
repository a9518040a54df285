import { html } from '../../kit/ground/html-template.ts'
import { webAddress } from '../../kit/ground/web-address.ts'
import type { Voice } from '../../model/languages/language.ts'
import type { Answers, FormField } from '../../model/surveys/structure.ts'
import type { Html } from '../../kit/ground/html-template.ts'

type Form = { [name: string]: unknown }

/**
 * A question as part of a form, with what was answered and what is wrong with it. Each is labelled,
 * and a scale or a choice is a group of radio buttons, so that keyboards and screen readers find
 * their way.
 */
export function question(voice: Voice, field: FormField, value: unknown, failure?: string): Html {
  const { say } = voice
  const id = `q-${field.id}`
  const { label, required = false, type } = field
  const help = typeof field.description === 'string' ? field.description : ''
  const describedBy = [...(help ? [`${id}-help`] : []), ...(failure ? [`${id}-wrong`] : [])].join(
    ' ',
  )
  const description = describedBy ? html`aria-describedby="${describedBy}"` : ''
  const about = html`${help ? html`<p class="note" id="${id}-help">${help}</p>` : ''}
  ${failure ? html`<p class="wrong" id="${id}-wrong">${failure}</p>` : ''}`
  const marks = html`data-question="${field.id}"
  ${field.show_if?.length ? html`data-show-if="${JSON.stringify(field.show_if)}"` : ''}`
  const star = required ? html` <span class="quiet">${say('page.required')}</span>` : ''
  if (type === 'statement') {
    return html`<div ${marks}>
      <p class="statement">${label}</p>
      ${about}
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
      return labelled(html`<textarea ${attributes} rows="4" maxlength="20000">${text}</textarea>`)
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
    case 'ranking':
      return grouped(ranking(voice, field, Array.isArray(value) ? (value as string[]) : []))
    default:
      return labelled(
        html`<input
          type="${inputs[type] ?? 'text'}"
          ${attributes}
          value="${text}"
          ${type === 'number' ? html`step="any"` : html`maxlength="1000"`}
        />`,
      )
  }
}

/** The answers to the questions on a page, from its submitted form; empty ones are absent. */
export function answersIn(form: Form, fields: FormField[]): Answers {
  const answers: Answers = {}
  for (const field of fields) {
    const value = answerIn(form, field)
    if (value !== undefined) answers[field.id] = value
  }
  return answers
}

function answerIn(form: Form, field: FormField): unknown {
  const value = form[`a.${field.id}`]
  const first: unknown = Array.isArray(value) ? value[0] : value
  switch (field.type) {
    case 'statement':
      return undefined
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
