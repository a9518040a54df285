import { useQueries } from '@tanstack/react-query'
import type { Clause } from '../../data/list.ts'
import type { Field, Module } from '../../data/modules.ts'
import { fieldOf, moduleQuery } from '../../data/modules.ts'
import { t } from '../../locales/text.ts'

/** A field of a record that another leads to, as a field of that one: "Account: Segment". */
export function linkedField(link: Field, field: Field): Field {
  return {
    ...field,
    name: `${link.name}.${field.name}`,
    label: t('{record}: {field}', { record: link.label, field: field.label }),
  }
}

/** A module with the fields of linked records that conditions name, so that they are shown by their labels. */
export function useNamedFields(module: Module, clauses: Clause[]): Module {
  const paths = [...new Set(clauses.flatMap(fieldsIn))].flatMap((path) => {
    const [name = '', part, ...more] = path.split('.')
    const link = fieldOf(module, name)
    return link?.reference && part && !more.length
      ? [{ link, part, of: link.reference.module }]
      : []
  })
  const names = [...new Set(paths.map(({ of }) => of))]
  const targets = useQueries({ queries: names.map((name) => moduleQuery(name)) })
  const added = paths.flatMap(({ link, part, of }) => {
    const target = targets[names.indexOf(of)]?.data
    const field = target && fieldOf(target, part)
    return field ? [linkedField(link, field)] : []
  })
  return added.length ? { ...module, fields: [...module.fields, ...added] } : module
}

/** The names of the fields of a clause. */
function fieldsIn(clause: Clause): string[] {
  if ('field' in clause) return [clause.field]
  if ('not' in clause) return fieldsIn(clause.not)
  return ('and' in clause ? clause.and : clause.or).flatMap(fieldsIn)
}
