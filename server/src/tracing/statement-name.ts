/** The length of the beginning of a statement that is searched for its name. */
const beginning = 20_000

/** The name of a statement's span: its command and table, without values. */
export function nameOf(text: string): { operation: string; table: string | undefined } {
  const start = text.slice(0, beginning)
  const change =
    /\b(insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?"?([a-z_][\w.]*)/i
  const [, verb = '', changed] = change.exec(withoutLocks(start)) ?? []
  if (changed) return { operation: verb.replace(/\s.*/s, '').toUpperCase(), table: changed }
  const [, first = 'statement'] = /^\s*([a-z]+)/i.exec(start) ?? []
  const [, table] = /\bfrom\s+"?([a-z_][\w.]*)"?(?!\s*\(|\w|\.)/i.exec(start) ?? []
  return { operation: first.toLowerCase() === 'with' ? 'SELECT' : first.toUpperCase(), table }
}

/** `for update` and `on conflict do update` are not updates. */
function withoutLocks(text: string): string {
  return text.replace(/\b(for\s+(no\s+key\s+)?update|do\s+update)\b/gi, ' ')
}
