import type { PointerEvent } from 'react'
import { useId, useRef, useState } from 'react'
import type { Answers, FormField } from '../../../../server/src/model/forms/form-parts.ts'
import { askedParts, requiredParts } from '../../../../server/src/model/forms/answer-parts.ts'
import { isEmpty, longest, mostFilesOf } from '../../../../server/src/model/forms/rules.ts'
import { scaleOf } from '../../records/answers/scale.ts'
import { UploadLine } from '../../records/files/upload-line.tsx'
import { useUploads } from '../../records/files/uploads.ts'
import { Choice } from '../../records/later-controls.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Field } from '../../ui/field.tsx'
import { FilePicker } from '../../ui/file-picker.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { RadioGroup } from '../../ui/radio.tsx'
import { Scale } from '../../ui/scale.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { partWords } from './lacking.ts'
import styles from './form.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  /** the task, whose documents its files become */
  task: string
  field: FormField
  value: unknown
  error: string | undefined
  onChange: (next: (now: unknown) => unknown) => void
  onBlur: () => void
}
type File = { document_id: string; name?: string }

/** A question of a form with its control, by its kind. */
export function Question({ task, field, value, error, onChange, onBlur }: Props) {
  const { type, label, required = false, description } = field
  const set = (next: unknown) => onChange(() => next)
  const text = typeof value === 'string' ? value : ''
  const options = field.options ?? []
  const own = (typeof value === 'object' && value !== null ? value : {}) as Answers
  const setIn = (name: string, next: unknown) =>
    onChange((now) => ({ ...(now as Answers | undefined), [name]: next }))
  const placeholder = field.placeholder ?? undefined
  const hint = description || undefined
  if (type === 'statement') {
    return (
      <>
        <p className={styles.statement}>{label}</p>
        {hint ? <p className={styles.help}>{hint}</p> : null}
      </>
    )
  }
  const steps = scaleOf(type, field)
  const inField = (control: React.ReactNode) => (
    <Field label={label} hint={hint} error={error} required={required}>
      {control}
    </Field>
  )
  if (steps) {
    return inField(
      <Scale
        steps={steps}
        value={typeof value === 'number' ? value : null}
        onChange={set}
        ends={endsOf(field)}
      />,
    )
  }
  switch (type) {
    case 'calculated':
      return inField(<output>{isEmpty(value) ? '…' : String(value)}</output>)
    case 'long-text':
      return inField(
        <TextArea value={text} onChange={set} onBlur={onBlur} rows={3} placeholder={placeholder} />,
      )
    case 'number':
      return inField(
        <NumberField
          className={styles.short ?? ''}
          value={typeof value === 'number' ? value : null}
          onChange={set}
          onBlur={onBlur}
          placeholder={placeholder}
        />,
      )
    case 'date':
    case 'time':
      return inField(
        <DateField
          className={styles.short ?? ''}
          kind={type}
          value={text || null}
          onChange={set}
          onBlur={onBlur}
        />,
      )
    case 'single-select':
      return inField(<RadioGroup value={text || null} onChange={set} options={options} />)
    case 'yes-no':
      return inField(
        <RadioGroup
          value={typeof value === 'boolean' ? String(value) : null}
          onChange={(next) => set(next === 'true')}
          options={[
            { value: 'true', label: t('Yes') },
            { value: 'false', label: t('No') },
          ]}
        />,
      )
    case 'dropdown':
      return inField(<Choice clearable value={text || null} onChange={set} options={options} />)
    case 'consent':
      return (
        <>
          <Checkbox checked={value === true} onChange={set} invalid={Boolean(error)} hint={hint}>
            {label}
            {required ? ' *' : ''}
          </Checkbox>
          <Wrong error={error} />
        </>
      )
    case 'multi-select':
      return (
        <Group {...{ label, required, hint, error }}>
          {options.map((option) => (
            <Checkbox
              key={option.value}
              checked={Array.isArray(value) && value.includes(option.value)}
              onChange={(isChosen) =>
                onChange((now) => {
                  const others = asList(now).filter((each) => each !== option.value)
                  return isChosen ? [...others, option.value] : others
                })
              }
            >
              {option.label}
            </Checkbox>
          ))}
        </Group>
      )
    case 'ranking':
      return (
        <Group {...{ label, required, hint, error }}>
          {options.map((option) => {
            const place = asList(value).indexOf(option.value)
            return (
              <Field key={option.value} label={option.label}>
                <Choice
                  clearable
                  placeholder={t('No place')}
                  value={place < 0 ? null : String(place + 1)}
                  onChange={(next) =>
                    onChange((now) => {
                      const others = asList(now).filter((each) => each !== option.value)
                      return next ? others.toSpliced(Number(next) - 1, 0, option.value) : others
                    })
                  }
                  options={options.map((_, at) => ({
                    value: String(at + 1),
                    label: t('Place {at}', { at: at + 1 }),
                  }))}
                />
              </Field>
            )
          })}
        </Group>
      )
    case 'matrix':
    case 'rating-matrix':
      return (
        <Group {...{ label, required, hint, error }}>
          {(field.rows ?? []).map((row) => (
            <Field key={row.value} label={row.label}>
              {type === 'matrix' ? (
                <RadioGroup
                  value={typeof own[row.value] === 'string' ? String(own[row.value]) : null}
                  onChange={(next) => setIn(row.value, next)}
                  options={options}
                />
              ) : (
                <Scale
                  steps={scaleOf('ratings', field) ?? []}
                  value={typeof own[row.value] === 'number' ? Number(own[row.value]) : null}
                  onChange={(next) => setIn(row.value, next)}
                />
              )}
            </Field>
          ))}
        </Group>
      )
    case 'contact':
    case 'address':
      return (
        <Group {...{ label, required, hint, error }}>
          <div>
            {askedParts(field).map((part) => (
              <Field
                key={part}
                label={partWords[part] ?? part}
                required={required && requiredParts(field).includes(part)}
              >
                <TextField
                  value={typeof own[part] === 'string' ? String(own[part]) : ''}
                  onChange={(next) => setIn(part, next)}
                  onBlur={onBlur}
                  maxLength={255}
                />
              </Field>
            ))}
          </div>
        </Group>
      )
    case 'signature':
      return (
        <Group {...{ label, required, hint, error }}>
          <Signature own={own} set={set} onBlur={onBlur} />
        </Group>
      )
    case 'file':
      return (
        <Group {...{ label, required, hint, error }}>
          <Files {...{ task, field, onChange }} files={Array.isArray(value) ? value : []} />
        </Group>
      )
    default:
      return inField(
        <TextField
          value={text}
          onChange={set}
          onBlur={() => {
            // a domain as people write it
            if (type === 'url' && /^[\w-]+(\.[\w-]+)+/.test(text)) set(`https://${text}`)
            onBlur()
          }}
          type={inputs[type] ?? 'text'}
          placeholder={placeholder}
          maxLength={type === 'url' ? 2048 : longest(field)}
        />,
      )
  }
}

const inputs: { [type: string]: string } = { email: 'email', phone: 'tel', url: 'url' }

const asList = (value: unknown) => (Array.isArray(value) ? (value as string[]) : [])

const usualEnds: { [type: string]: [string, string] } = {
  nps: [t('Not at all likely'), t('Extremely likely')],
  csat: [t('Very dissatisfied'), t('Very satisfied')],
  ces: [t('Very difficult'), t('Very easy')],
}

function endsOf({ type, minLabel, maxLabel }: FormField): [string, string] {
  if (minLabel || maxLabel) return [minLabel ?? '', maxLabel ?? '']
  return usualEnds[type] ?? ['', '']
}

type GroupProps = {
  label: string
  required: boolean
  hint: string | undefined
  error: string | undefined
  children: React.ReactNode
}

/** Several controls that answer one question. */
function Group({ label, required, hint, error, children }: GroupProps) {
  const id = useId()
  return (
    <fieldset className={styles.parts} aria-describedby={error ? id : undefined}>
      <legend>
        {label}
        {required ? ' *' : ''}
      </legend>
      {hint ? <p className={styles.help}>{hint}</p> : null}
      {children}
      <Wrong id={id} error={error} />
    </fieldset>
  )
}

function Wrong({ id, error }: { id?: string; error: string | undefined }) {
  if (!error) return null
  return (
    <p id={id} className={styles.error} role="alert">
      {error}
    </p>
  )
}

type FilesProps = Pick<Props, 'task' | 'field' | 'onChange'> & { files: File[] }

/** The files of an answer, which are documents of the task; more can be added. */
function Files({ task, field, files, onChange }: FilesProps) {
  const uploads = useUploads({ module: 'tasks', id: task }, `form ${field.id}`)
  const most = mostFilesOf(field)
  const add = (chosen: globalThis.File[]) => {
    for (const sending of uploads.add(chosen.slice(0, most - files.length))) {
      void sending.then((document) => {
        if (!document) return
        const { attach_id: document_id, document_name: name } = document
        onChange((now) => [...((now ?? []) as File[]), { document_id, name }])
      })
    }
  }
  return (
    <>
      <ul className={styles.files}>
        {files.map(({ document_id: id, name }) => (
          <li key={id}>
            <a href={`/documents/${id}/view`}>{name ?? t('Document')}</a>
            <IconButton
              size="small"
              icon="x"
              label={t('Remove {name}', { name: name ?? t('Document') })}
              onClick={() =>
                onChange((now) => ((now ?? []) as File[]).filter((each) => each.document_id !== id))
              }
            />
          </li>
        ))}
        {uploads.all.map((each) => (
          <UploadLine key={each.key} sending={each} />
        ))}
      </ul>
      {files.length < most ? (
        <FilePicker multiple={most > 1} label={t('Add files')} onFiles={add} />
      ) : null}
    </>
  )
}

type SignatureProps = { own: Answers; set: (next: unknown) => void; onBlur: () => void }

/** A name that signs, and lines that are drawn. */
function Signature({ own, set, onBlur }: SignatureProps) {
  const name = typeof own.name === 'string' ? own.name : ''
  const path = typeof own.path === 'string' ? own.path : ''
  const [drawn, setDrawn] = useState<string>()
  const box = useRef<SVGSVGElement>(null)
  const at = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = (box.current as SVGSVGElement).getBoundingClientRect()
    const whole = (share: number, most: number) =>
      Math.round(Math.min(most, Math.max(0, share * most)))
    return `${whole((clientX - left) / width, 600)} ${whole((clientY - top) / height, 200)}`
  }
  return (
    <>
      <Field label={t('Name')}>
        <TextField
          value={name}
          onChange={(next) => set({ ...own, name: next })}
          onBlur={onBlur}
          maxLength={255}
        />
      </Field>
      <svg
        ref={box}
        className={styles.pad}
        viewBox="0 0 600 200"
        role="img"
        aria-label={t('Draw the signature here')}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrawn(`${path}M${at(event)}`)
        }}
        onPointerMove={(event) => {
          if (drawn !== undefined && drawn.length < 19_900) setDrawn(`${drawn}L${at(event)}`)
        }}
        onLostPointerCapture={() => {
          if (drawn !== undefined) set({ ...own, name, path: drawn })
          setDrawn(undefined)
        }}
      >
        <path
          d={drawn ?? path}
          fill="none"
          stroke="currentColor"
          strokeWidth="4"
          strokeLinecap="round"
        />
      </svg>
      {path ? (
        <Button size="small" onClick={() => set({ ...own, path: undefined })}>
          {t('Clear the drawing')}
        </Button>
      ) : null}
    </>
  )
}
