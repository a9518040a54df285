import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useMemo } from 'react'
import type { Module } from '../../data/modules.ts'
import { moduleQuery } from '../../data/modules.ts'
import { useMay } from '../../data/session.ts'
import { valuesQuery } from '../../data/written.ts'
import { shownValues, type ShownValue } from './node-views.ts'
import { t } from '../../locales/text.ts'

/** A value that a text may have: by its placeholder, with what it is called and what it belongs to. */
export type NamedValue = { inner: string; name: string; group: string }

const useful = new Set([
  'text',
  'long_text',
  'number',
  'currency',
  'percent',
  'date',
  'datetime',
  'select',
  'multi_select',
  'email',
  'phone',
  'url',
  'user',
  'reference',
])

/** The values that a text may have, and what those in it stand for now. */
export function useValues(id: string, inText: string[], isFilled: boolean) {
  const mayAccounts = useMay('accounts', 'read')
  const mayProjects = useMay('projects', 'read')
  const accounts = useQuery({ ...moduleQuery('accounts'), enabled: mayAccounts }).data
  const projects = useQuery({ ...moduleQuery('projects'), enabled: mayProjects }).data
  const all = useMemo(() => namedValues(accounts, projects), [accounts, projects])
  const asked = useMemo(
    () => [...new Set([...inText, ...all.map(({ inner }) => inner)])].slice(0, 200),
    [inText, all],
  )
  const { data } = useQuery(valuesQuery(id, asked))
  const values = useMemo(() => {
    const names = new Map(all.map(({ inner, name, group }) => [inner, `${group}: ${name}`]))
    return new Map(
      (data ?? []).map(({ placeholder, value, state }): [string, ShownValue] => {
        const [path = ''] = placeholder.split('|')
        return [placeholder, { value, state, name: names.get(path.trim()) ?? path.trim() }]
      }),
    )
  }, [data, all])
  useLayoutEffect(() => shownValues.set(values, isFilled), [values, isFilled])
  return { all, values }
}

function namedValues(accounts: Module | undefined, projects: Module | undefined): NamedValue[] {
  const fieldsOf = (module: Module | undefined, word: string, group: string) =>
    (module?.fields ?? [])
      .filter(
        ({ type, is_filterable: mayFind, place }) =>
          useful.has(type) && mayFind && place !== 'system',
      )
      .map(({ name, label }) => ({ inner: `${word}.${name}`, name: label, group }))
  return [
    ...fieldsOf(accounts, 'account', t('Account')),
    ...fieldsOf(projects, 'project', t('Project')),
    { inner: 'today', name: t('Today'), group: t('Document') },
    { inner: 'me.name', name: t('My name'), group: t('Document') },
    { inner: 'organization.name', name: t('Our organization'), group: t('Document') },
  ]
}
