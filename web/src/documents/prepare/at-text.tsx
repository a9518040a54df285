import { useState } from 'react'
import { placesOfText } from '../../data/preparations.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Field } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { OpenPdf } from '../view/pdf.ts'
import { fieldAt } from './found.ts'
import type { Kind, Placed } from './preparation.ts'
import { kinds } from './preparation.ts'
import { t } from '../../locales/text.ts'

type Props = {
  id: string
  pdf: OpenPdf
  /** the key of who fills in what is placed */
  signer: string
  onPlace: (fields: Placed[]) => void
}

const options = Object.entries(kinds).map(([value, { label }]) => ({ value, label }))

/** Places fields beside a text of the document: at the first place where it stands, or at each one. */
export function AtText({ id, pdf, signer, onPlace }: Props) {
  const [text, setText] = useState('')
  const [kind, setKind] = useState<Kind>('signature')
  const [isEach, setEach] = useState(false)
  const { submit, isBusy, problem, reset } = useSubmit(async () => {
    const wanted = text.trim()
    if (!wanted) return
    const places = await placesOfText(id, wanted)
    const chosen = isEach ? places : places.slice(0, 1)
    const fields = chosen.map(async ({ page, ...place }) =>
      fieldAt(
        { kind, page, text: wanted, place: { ...place, text: wanted } },
        signer,
        await pdf.sizeOf(page),
      ),
    )
    onPlace(await Promise.all(fields))
  })
  return (
    <section aria-labelledby="at-text">
      <h2 id="at-text">{t('At a text of the document')}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field label={t('Text')} error={problem?.of('text') ?? problem?.message}>
          <TextField
            value={text}
            maxLength={200}
            placeholder={`${t('Signature')}:`}
            onChange={(next) => {
              setText(next)
              reset()
            }}
          />
        </Field>
        <Field label={t('Field [to fill in]')}>
          <Choice
            value={kind}
            options={options}
            onChange={(next) => setKind((next ?? 'signature') as Kind)}
          />
        </Field>
        <Switch apart checked={isEach} onChange={setEach}>
          {t('At each place where it stands')}
        </Switch>
        <Button type="submit" busy={isBusy} disabled={!text.trim()}>
          {t('Place at the text')}
        </Button>
      </form>
    </section>
  )
}
