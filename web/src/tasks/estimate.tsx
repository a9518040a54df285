import { useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { changeRecord } from '../data/change.ts'
import type { Module } from '../data/modules.ts'
import type { AnyRecord } from '../data/record.ts'
import { idOf } from '../data/record.ts'
import { duration } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { TextField } from '../ui/text-field.tsx'
import { spentIn, spentText } from './spent.ts'
import styles from './time.module.css'
import { t } from '../locales/text.ts'

type Props = { module: Module; record: AnyRecord; minutes: number | null; mayChange: boolean }

/** How long a task is expected to take: as text, and a field where it is pressed. */
export function Estimate({ module, record, minutes, mayChange }: Props) {
  const format = useFormat()
  const [text, setText] = useState<string>()
  const [fault, setFault] = useState<string>()
  const shown = minutes === null ? t('No estimate') : duration(60 * minutes, format)
  if (!mayChange) return <span>{shown}</span>
  if (text === undefined) {
    return (
      <button
        type="button"
        className={styles.estimate}
        aria-label={t('Estimate: {time}', { time: shown })}
        onClick={() => setText(minutes === null ? '' : spentText(60 * minutes))}
      >
        {shown}
      </button>
    )
  }
  const close = () => {
    setText(undefined)
    setFault(undefined)
  }
  const save = async () => {
    const seconds = text.trim() ? spentIn(text) : null
    if (text.trim() && seconds === null) return setFault(t('such as 16h or 2d'))
    const estimate_minutes = seconds === null ? null : Math.round(seconds / 60)
    if (estimate_minutes === minutes) return close()
    try {
      await changeRecord(
        module,
        idOf(module, record),
        { estimate_minutes },
        {
          message: t('Changed the estimate'),
        },
      )
      close()
    } catch (error) {
      setFault(asProblem(error).message)
    }
  }
  return (
    <span className={styles.editing}>
      <TextField
        autoFocus
        label={t('Estimate')}
        value={text}
        invalid={fault !== undefined}
        placeholder="16h"
        onChange={setText}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void save()
          if (event.key !== 'Escape') return
          event.stopPropagation()
          close()
        }}
      />
      {fault ? <small role="alert">{fault}</small> : null}
    </span>
  )
}
