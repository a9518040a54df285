import { useState } from 'react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { asProblem } from '../api/problem.ts'
import type { AnswerOf } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import type { SettingsPath, Stored } from '../data/settings.ts'
import { changeSettings, settingsQuery, storedAt } from '../data/settings.ts'

/** Settings on screen: their values, what is wrong with each, and how one is saved by itself. */
export type Settings<T> = {
  values: T
  errors: { [field: string]: string }
  /** shown at once; a refusal stands at its field, and is answered with false */
  save: (values: Partial<T>, message: string) => Promise<boolean>
  /** what the person may not change is shown read-only */
  isReadOnly: boolean
}

/** The settings of a path of the API. */
export function useSettings<P extends SettingsPath>(
  path: P,
  isReadOnly = false,
): Settings<AnswerOf<P, 'get'> & object> {
  const { data } = useSuspenseQuery(settingsQuery(path))
  return useSaved(data as AnswerOf<P, 'get'> & object, storedAt(path) as never, isReadOnly)
}

/** The same of whatever is stored in another way. */
export function useSaved<T extends object>(
  values: T,
  stored: Stored<T>,
  isReadOnly = false,
): Settings<T> {
  const [errors, setErrors] = useState<{ [field: string]: string }>({})
  const save = async (changed: Partial<T>, message: string) => {
    const names = Object.keys(changed)
    try {
      await changeSettings(stored, changed, message)
      setErrors((before) =>
        Object.fromEntries(Object.entries(before).filter(([name]) => !names.includes(name))),
      )
      return true
    } catch (error) {
      const problem = asProblem(error)
      const found = names.filter((name) => problem.of(name))
      if (!found.length) notifyRefusal(error)
      setErrors((before) => ({
        ...before,
        ...Object.fromEntries(found.map((name) => [name, problem.of(name) ?? problem.message])),
      }))
      return false
    }
  }
  return { values, errors, save, isReadOnly }
}
