import { useState } from 'react'
import { Choice } from '../../records/later-controls.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { kinds } from '../kinds.ts'
import { typeWords } from '../structure.ts'
import type { Question } from './draft.ts'
import { withKind } from './draft.ts'
import { questionsIn } from './pasted.ts'
import styles from './builder.module.css'
import { t } from '../../locales/text.ts'

type Props = { text: string; onClose: () => void; onAdd: (questions: Question[]) => void }

/** Pasted lines as questions, shown before they are added. */
export function PasteDialog({ text: pasted, onClose, onAdd }: Props) {
  const [text, setText] = useState(pasted)
  /** the kinds that were corrected, by the words of the question */
  const [chosen, setChosen] = useState<{ [label: string]: string }>({})
  const questions = questionsIn(text).map((question) => {
    const kind = chosen[question.label]
    return kind && kind !== question.type ? withKind(question, kind) : question
  })
  const count = questions.length
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Paste a list')}
      description={t(
        'A line is a question. Indented or a) b) lines are choices; (1–5), 0–10, yes/no and (date) say the kind, * that it must be answered.',
      )}
      onSubmit={() => {
        if (!count) return
        onAdd(questions)
        onClose()
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" disabled={!count}>
            {t('Add {count} question | Add {count} questions', { count })}
          </Button>
        </>
      }
    >
      <Field label={t('Lines')}>
        <TextArea value={text} onChange={setText} rows={6} autoFocus />
      </Field>
      {count ? (
        <ol className={styles.pasted} aria-label={t('Questions')}>
          {questions.map(({ label, type, options, required }, at) => (
            <li key={at}>
              <span>
                {label} {required ? <small>{t('must be answered')}</small> : null}
                {options ? <small>{options.map((each) => each.label).join(' · ')}</small> : null}
              </span>
              <Choice
                label={t('Kind of “{label}”', { label })}
                value={type}
                onChange={(next) => next && setChosen({ ...chosen, [label]: next })}
                options={kinds.flatMap((kind) =>
                  kind.of.map((each) => ({
                    value: each,
                    label: typeWords(each),
                    group: kind.label,
                  })),
                )}
              />
            </li>
          ))}
        </ol>
      ) : null}
    </Dialog>
  )
}
