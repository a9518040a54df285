import { useEffect, useRef, useState } from 'react'
import type { Problem } from '../../api/problem.ts'
import { asProblem } from '../../api/problem.ts'
import { changeRecord, conflictOf } from '../../data/change.ts'
import type { Field, Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, withValues } from '../../data/record.ts'
import { Button } from '../../ui/button.tsx'
import { capital } from '../../ui/capital.ts'
import { ConflictNote } from './conflict.tsx'
import type { Edited } from './edit.tsx'
import { FieldEditor } from './edit.tsx'
import { goneWords } from './gone-words.ts'
import styles from './in-place.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  module: Module
  field: Field
  record: AnyRecord
  onDone: () => void
}

/**
 * Edits one field of a stored record in place. The typed text stays until it is stored: a refusal
 * is shown below it, and if somebody else changed the record meanwhile, one can choose.
 */
export default function InPlaceEditor({ module, field, record, onDone }: Props) {
  const [refusal, setRefusal] = useState<{ problem: Problem; edited: Edited }>()
  const box = useRef<HTMLDivElement>(null)
  const isSent = useRef(false)
  /** whether the key being pressed is Enter */
  const isEnter = useRef(false)
  // others' changes may arrive while typing: the edit is based on the value at its start
  const [version] = useState(record.version)
  const draft = refusal
    ? withValues(record, { [field.name]: refusal.edited.value, ...refusal.edited.shown })
    : record

  async function save(edited: Edited, regardless = false) {
    if (isSent.current) return
    isSent.current = true
    try {
      await changeRecord(
        module,
        idOf(module, record),
        { [field.name]: edited.value },
        {
          message: t('{label} changed', { label: field.label }),
          regardless,
          version,
          ...(edited.shown ? { shown: edited.shown } : {}),
        },
      )
      onDone()
    } catch (error) {
      setRefusal({ problem: asProblem(error), edited })
    } finally {
      isSent.current = false
    }
  }

  useEffect(() => {
    if (refusal) box.current?.querySelector<HTMLElement>('input,button,textarea')?.focus()
  }, [refusal])

  // closing or reloading the tab while typing asks first; meanwhile the value is being sent
  useEffect(() => {
    const hold = (event: BeforeUnloadEvent) => {
      const focused = document.activeElement
      if (focused instanceof HTMLElement && box.current?.contains(focused)) focused.blur()
      if (isSent.current || refusal) event.preventDefault()
    }
    addEventListener('beforeunload', hold)
    return () => removeEventListener('beforeunload', hold)
  }, [refusal])

  const conflict = refusal && conflictOf(refusal.problem)
  return (
    <div
      className={styles.editor}
      ref={box}
      onKeyDownCapture={(event) => {
        isEnter.current = event.key === 'Enter'
        setTimeout(() => (isEnter.current = false))
        if (refusal && event.key === 'Escape') {
          event.stopPropagation()
          onDone()
        }
      }}
    >
      <FieldEditor
        key={refusal ? 'again' : 'first'}
        field={field}
        record={draft}
        label={field.label}
        isInPlace
        onCommit={(edited) => void save(edited)}
        // Enter tries a refused text again; moving the focus to the buttons below must not discard it
        onCancel={() => {
          if (!refusal) onDone()
          else if (isEnter.current) void save(refusal.edited)
        }}
      />
      {refusal ? (
        <div className={styles.note} role="alert">
          {conflict ? (
            <ConflictNote module={module} field={field} conflict={conflict} />
          ) : (
            <p>{wordsOf(refusal.problem, field, module)}</p>
          )}
          <div className={styles.actions}>
            {conflict ? (
              <Button
                size="small"
                variant="primary"
                onClick={() => void save(refusal.edited, true)}
              >
                {t('Use mine')}
              </Button>
            ) : (
              <Button size="small" onClick={() => void save(refusal.edited)}>
                {t('Try again')}
              </Button>
            )}
            <Button size="small" variant="quiet" onClick={onDone}>
              {conflict ? t('Keep theirs') : t('Discard')}
            </Button>
          </div>
        </div>
      ) : null}
    </div>
  )
}

function wordsOf(problem: Problem, field: Field, module: Module): string {
  if (problem.status === 404) return goneWords(module)
  return capital(problem.of(field.name) ?? problem.message)
}
