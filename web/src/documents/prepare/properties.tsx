import { mustAct } from '../../data/signatures.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Field } from '../../ui/field.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Size } from '../view/pdf.ts'
import styles from './prepare.module.css'
import type { Alignment, Placed, Signer } from './preparation.ts'
import {
  changedBy,
  fromMm,
  inside,
  isAsked,
  isWritten,
  kinds,
  nameOf,
  toMm,
} from './preparation.ts'
import { AskedIf } from './asked-if.tsx'
import { t } from '../../locales/text.ts'

type Props = {
  chosen: Placed[]
  /** all that are placed */
  fields: Placed[]
  signers: Signer[]
  pages: number
  sizeOf: (page: number) => Size
  onChange: (fields: Placed[]) => void
  onCopy: (pages: number[]) => void
  onAlign: (how: Alignment) => void
  onRemove: () => void
}

/** What is chosen, by its numbers: who fills it in, its place in millimetres, and where else it stands. */
export function Properties({
  chosen,
  fields,
  signers,
  pages,
  sizeOf,
  onChange,
  onCopy,
  onAlign,
  onRemove,
}: Props) {
  const [first] = chosen
  if (!first) {
    return (
      <section className={styles.hint}>
        <h2>{t('No field is chosen')}</h2>
        <p>
          {t(
            'Choose a field to set its place in millimetres. Arrows move it by 1 mm, with Shift by 10, with Alt they change its size.',
          )}
        </p>
      </section>
    )
  }
  const setAll = (values: Partial<Placed>) =>
    onChange(chosen.map((each) => ({ ...each, ...values })))
  const people = signers
    .map((signer, at) => ({ ...signer, label: nameOf(signer, at) }))
    .filter(mustAct)
    .map(({ key, label }) => ({ value: key, label }))
  return (
    <section className={styles.properties} aria-labelledby="properties">
      <h2 id="properties">
        {chosen.length === 1
          ? kinds[first.kind].label
          : t('{count} fields', { count: chosen.length })}
      </h2>
      <Field label={t('Filled in by')}>
        <Choice
          value={chosen.every(({ signer }) => signer === first.signer) ? first.signer : null}
          options={people}
          onChange={(signer) => signer && setAll({ signer })}
        />
      </Field>
      {chosen.length === 1 ? (
        <One
          field={first}
          fields={fields}
          size={sizeOf(first.page)}
          onChange={(next) => onChange([next])}
        />
      ) : (
        <div className={styles.aligns} role="group" aria-label={t('In line with the first')}>
          <Button onClick={() => onAlign('left')}>{t('Align left')}</Button>
          <Button onClick={() => onAlign('top')}>{t('Align top')}</Button>
          <Button onClick={() => onAlign('size')}>{t('Same size')}</Button>
        </div>
      )}
      {pages > 1 ? (
        <Button icon="copy" onClick={() => onCopy(allPages(pages))}>
          {t('Copy to every page')}
        </Button>
      ) : null}
      <Button icon="trash" className={styles.remove} onClick={onRemove}>
        {t('Delete the field | Delete {count} fields', { count: chosen.length })}
      </Button>
    </section>
  )
}

function allPages(pages: number): number[] {
  return Array.from({ length: pages }, (_, at) => at + 1)
}

const numbers = [
  ['x', t('Left [side]')],
  ['y', t('Top')],
  ['width', t('Width')],
  ['height', t('Height')],
] as const

const requiredWords: { [kind in Placed['kind']]?: string } = {
  checkbox: t('Must be ticked'),
  attachment: t('Must be attached'),
}

function One({
  field,
  fields,
  size,
  onChange,
}: {
  field: Placed
  fields: Placed[]
  size: Size
  onChange: (field: Placed) => void
}) {
  return (
    <>
      {isAsked(field) ? (
        <>
          <Field
            label={t('Label')}
            hint={
              field.kind === 'attachment'
                ? t('Which file is wanted. Everybody who gets the signed document gets it too.')
                : t('What is asked for.')
            }
          >
            <TextField
              value={field.label}
              maxLength={200}
              onChange={(label) => onChange({ ...field, label })}
            />
          </Field>
          {field.kind === 'choice' ? (
            <Field label={t('Options')} hint={t('One in each line.')}>
              <TextArea
                rows={4}
                value={(field.options ?? []).join('\n')}
                onChange={(text) =>
                  onChange({
                    ...field,
                    options: text
                      .split('\n')
                      .slice(0, 50)
                      .map((each) => each.slice(0, 100).toWellFormed()),
                  })
                }
              />
            </Field>
          ) : null}
          <Switch
            apart
            checked={field.required}
            onChange={(required) => onChange({ ...field, required })}
          >
            {requiredWords[field.kind] ?? t('Must be filled in')}
          </Switch>
          {isWritten(field) ? <Prefilled field={field} onChange={onChange} /> : null}
        </>
      ) : null}
      {field.kind === 'signature' ? null : (
        <AskedIf field={field} fields={fields} onChange={onChange} />
      )}
      <fieldset className={styles.numbers}>
        <legend>{t('Place on page {page}, in mm', { page: field.page })}</legend>
        {numbers.map(([name, label]) => {
          const points = name === 'x' || name === 'width' ? size.width : size.height
          return (
            <NumberField
              key={name}
              label={label}
              prefix={label}
              step={1}
              min={0}
              max={toMm(1, points)}
              value={toMm(field[name], points)}
              onChange={(mm) => {
                if (mm === null) return
                const next = inside({ ...field, [name]: fromMm(mm, points) })
                onChange(changedBy(next, {}, size))
              }}
            />
          )
        })}
      </fieldset>
    </>
  )
}

/** What is filled in at a field already, and can be changed by who signs. */
function Prefilled({ field, onChange }: { field: Placed; onChange: (field: Placed) => void }) {
  const { prefill = '', ...others } = field
  const set = (text: string) => onChange(text ? { ...others, prefill: text } : others)
  if (field.kind === 'checkbox') {
    return (
      <Switch apart checked={prefill === 'yes'} onChange={(isOn) => set(isOn ? 'yes' : '')}>
        {t('Ticked beforehand')}
      </Switch>
    )
  }
  if (field.kind === 'choice') {
    const options = [...new Set(field.options ?? [])].filter((each) => each.trim())
    return (
      <Field label={t('Chosen beforehand')}>
        <Choice
          value={options.includes(prefill) ? prefill : ''}
          options={[
            { value: '', label: t('Nothing') },
            ...options.map((each) => ({ value: each, label: each })),
          ]}
          onChange={(chosen) => set(chosen ?? '')}
        />
      </Field>
    )
  }
  return (
    <Field label={t('Filled in beforehand')} hint={t('Whoever signs can change it.')}>
      <TextField value={prefill} maxLength={500} onChange={set} />
    </Field>
  )
}
