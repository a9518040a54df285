import { useState } from 'react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { asProblem } from '../api/problem.ts'
import type { AnswerOf } from '../api/client.ts'
import { notifyRefusal } from '../data/change.ts'
import type { SettingsPath, Stored } from '../data/settings.ts'
import { changeSettings, settingsQuery, storedAt } from '../data/settings.ts'

/** Settings on screen: their values, errors, and a function to save one of them. */
export type Settings<T> = {
  values: T
  errors: { [field: string]: string }
  /** saves a value, which is shown at once; a refusal is shown at its field, and returns false */
  save: (values: Partial<T>, message: string) => Promise<boolean>
  /** whether it is read-only for the person */
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

/** The same for settings that are stored in another way. */
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
