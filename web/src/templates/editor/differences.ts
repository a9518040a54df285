import { spentText } from '../../tasks/spent.ts'
import type { Lines, TaskLine } from './lines.ts'
import { t } from '../../locales/text.ts'

/** What a version has that another one has not, in words. */
export type Difference = { kind: 'added' | 'removed' | 'changed'; title: string; what: string }

/** The names of forms and documents by their ids. */
export type Names = ReadonlyMap<string, string>

/** What changed between two versions of a template, in the order of the newer one, then what is gone. */
export function differencesOf(before: Lines, after: Lines, names: Names = new Map()): Difference[] {
  const old = named(before)
  const now = named(after)
  const wordsOf = ([, value, other]: Fact) => {
    if (!value) return t('none')
    return other === undefined ? value : (names.get(value) ?? other)
  }
  const list: Difference[] = []
  for (const [id, line] of now) {
    const was = old.get(id)
    if (!was) list.push({ kind: 'added', title: line.title, what: line.days })
    else {
      const what = line.facts.flatMap((fact, at) => {
        const former = was.facts[at]
        if (!former || former[1] === fact[1]) return []
        return `${fact[0]} ${wordsOf(former)} → ${wordsOf(fact)}`
      })
      if (was.title !== line.title) what.unshift(t('was {title}', { title: was.title }))
      if (what.length) list.push({ kind: 'changed', title: line.title, what: what.join(', ') })
    }
  }
  for (const [id, { title }] of old) {
    if (!now.has(id)) list.push({ kind: 'removed', title, what: '' })
  }
  return list
}

/** What is compared; an id is shown as the name of what it belongs to, or as `other` where that is not known. */
type Fact = [name: string, value: string, other?: string]
type Named = { title: string; days: string; facts: Fact[] }

function named({ milestones, tasks }: Lines): Map<string, Named> {
  const titles = new Map(tasks.map(({ item_id, title }) => [item_id, title]))
  const linked = ({ links }: TaskLine) =>
    links
      .map(({ predecessor_id, type, lag_days }) =>
        [titles.get(predecessor_id), type === 'FS' ? '' : type, lag_days || '']
          .filter(Boolean)
          .join(' '),
      )
      .join(', ')
  const of = (task: TaskLine): Named => ({
    title: task.title,
    days: t('{count} day | {count} days', { count: task.days }),
    facts: [
      [t('days'), String(task.days)],
      [t('role'), task.role ?? ''],
      [t('after'), linked(task)],
      [t('form'), task.form_id ?? '', t('another form')],
      [t('document'), task.document_id ?? '', t('another document')],
      [t('estimate'), task.minutes === null ? '' : spentText(60 * task.minutes)],
      [t('shared'), task.is_shared ? t('yes') : t('no')],
      [t('below'), titles.get(task.parent_id ?? '') ?? ''],
    ],
  })
  return new Map([
    ...milestones.map(({ milestone_id, name, is_shared }): [string, Named] => [
      `milestone ${milestone_id}`,
      { title: name, days: '', facts: [[t('shared'), is_shared ? t('yes') : t('no')]] },
    ]),
    ...tasks.map((task): [string, Named] => [`task ${task.item_id}`, of(task)]),
  ])
}
