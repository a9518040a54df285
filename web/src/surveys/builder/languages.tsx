import { useState } from 'react'
import {
  languagesOf,
  longestText,
  textRows,
} from '../../../../server/src/model/forms/translations.ts'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { Choice } from '../../records/later-controls.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FilePicker } from '../../ui/file-picker.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { languages } from '../starts.ts'
import type { Draft, Texts } from './draft.ts'
import { numbersOf, shownText, storedText } from './draft.ts'
import { asSurvey, nameOf, withTranslated } from './translated.ts'
import type { Edited } from './use-draft.ts'
import styles from './builder.module.css'
import { t } from '../../locales/text.ts'

type Props = { id: string; draft: Draft; edited: Edited; onClose: () => void }

/** The texts of a survey beside their translations, one language at a time; as a table to send and take back, too. */
export default function LanguagesDialog({ id, draft, edited, onClose }: Props) {
  const first = draft.texts.language
  const others = languages.filter(({ value }) => value !== first)
  const used = languagesOf(asSurvey(draft))
  const [chosen, choose] = useState<string>(
    used.find((each) => each !== first) ?? others[0]?.value ?? 'fr',
  )
  const [isMissing, setMissing] = useState(false)
  const numbers = numbersOf(draft)
  const rows = textRows(asSurvey(draft))
  const missing = rows.filter(({ translations }) => !translations[chosen])
  const [shownKeys, setShownKeys] = useState<string[]>()
  const shown = isMissing && shownKeys ? rows.filter(({ key }) => shownKeys.includes(key)) : rows
  const { submit, isBusy, problem } = useSubmit(async (file: File) => {
    await edited.flush()
    await api.put('/api/surveys/{id}/translations/', {
      path: { id },
      body: { csv: await file.text() },
    })
    await edited.refetch()
  })
  const set = (key: string, text: string) =>
    edited.change(
      (now) => withTranslated(now, new Map([[key, { [chosen]: storedText(text, numbers) }]])),
      `${key} ${chosen}`,
    )
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Languages')}
      description={t('What a language lacks is shown as it is written first.')}
      footer={
        <>
          <FilePicker
            label={t('Take a CSV back')}
            accept=".csv,text/csv"
            disabled={isBusy}
            onFiles={([file]) => {
              if (file) submit(file)
            }}
          />
          <ButtonLink
            icon="download"
            href={`/api/surveys/${id}/translations/export/?bom=true`}
            download
          >
            {t('Export as CSV')}
          </ButtonLink>
          <Button variant="primary" onClick={onClose}>
            {t('Done')}
          </Button>
        </>
      }
    >
      <div className={styles.languageTools}>
        <Field label={t('Written in')}>
          <Choice
            value={first}
            placeholder={t('Language of the organization')}
            clearable
            onChange={(language) =>
              edited.change((now) => ({
                ...now,
                texts: { ...now.texts, language: language as Texts['language'] },
              }))
            }
            options={languages}
          />
        </Field>
        <Field label={t('Translated into')}>
          <Choice
            value={chosen}
            onChange={(next) => {
              if (next) choose(next)
            }}
            options={others}
          />
        </Field>
        <Switch
          checked={isMissing}
          onChange={(next) => {
            setMissing(next)
            // one that is filled stays until it is asked again
            setShownKeys(missing.map(({ key }) => key))
          }}
        >
          {t('Only missing ones ({count})', { count: missing.length })}
        </Switch>
      </div>
      <table className={styles.translations}>
        <thead>
          <tr>
            <th scope="col">{t('Text')}</th>
            <th scope="col">{nameOf(chosen)}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, text, translations }) => (
            <tr key={`${chosen} ${key}`}>
              <th scope="row">{shownText(text, numbers)}</th>
              <td>
                <TextArea
                  label={t('{text}, in {language}', {
                    text: shownText(text, numbers),
                    language: nameOf(chosen),
                  })}
                  value={shownText(translations[chosen] ?? '', numbers)}
                  onChange={(next) => set(key, next)}
                  maxLength={longestText(key)}
                  rows={1}
                  lang={chosen}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
                    event.preventDefault()
                    nextEmpty(event.currentTarget)?.focus()
                  }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {problem ? <ProblemBanner problem={problem} /> : null}
    </Dialog>
  )
}

/** The next field of a translation that is empty. */
function nextEmpty(from: HTMLElement): HTMLElement | undefined {
  const all = [...(from.closest('table')?.querySelectorAll('textarea') ?? [])]
  const at = all.indexOf(from as HTMLTextAreaElement)
  return all.find((each, i) => i > at && !each.value.trim())
}
