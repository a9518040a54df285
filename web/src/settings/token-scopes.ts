import { moduleWords } from '../data/module-words.ts'
import { t } from '../locales/text.ts'

/** A scope of access tokens in words: `companies.write` is "Change companies". */
export function scopeWords(scope: string): string {
  const at = scope.lastIndexOf('.')
  const module = moduleWords(scope.slice(0, at))
  const isWrite = scope.slice(at + 1) === 'write'
  if (scope.startsWith('all.')) return isWrite ? t('Change everything') : t('Read everything')
  return isWrite
    ? t('Change {records}', { records: module })
    : t('Read {records}', { records: module })
}

/** The scopes of single modules as options: first those that read, then those that change, each by name. */
export function moduleScopes(scopes: string[]): { value: string; label: string }[] {
  return scopes
    .filter((scope) => !scope.startsWith('all.'))
    .map((value) => ({ value, label: scopeWords(value) }))
    .toSorted((a, b) => (a.label < b.label ? 1 : -1))
    .toSorted((a, b) => Number(b.value.endsWith('.read')) - Number(a.value.endsWith('.read')))
}

/** A request that any token which reads companies can send, for a command line. */
export function firstRequest(token: string): string {
  return `curl -H 'Authorization: Bearer ${token}' '${location.origin}/api/company/?page=1&items_per_page=5'`
}
