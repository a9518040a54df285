import type { Import, ImportColumn } from '../data/imports.ts'
import type { Module } from '../data/modules.ts'
import { fieldOf } from '../data/modules.ts'
import { isEditable } from '../records/field/editable.ts'
import { Choice } from '../ui/choice.tsx'
import { Icon } from '../ui/icons.tsx'
import type { Option } from '../ui/option.tsx'
import styles from './import.module.css'
import { columnWords, targetWords } from './words.ts'
import { t } from '../locales/text.ts'

type Format = Import['options']['formats'][string]

type Props = {
  found: Import
  module: Module
  onMap: (column: string, target: string | null) => void
  onFormat: (column: string, format: Format) => void
}

/** The columns of a file: sample values, and the field that each becomes. */
export function Columns({ found, module, onMap, onFormat }: Props) {
  const { columns, column_report: report, mapping } = found
  return (
    <ul className={styles.columns} aria-label={t('Columns of the file')}>
      <li className={styles.heads} aria-hidden="true">
        <span>{t('Column of the file')}</span>
        <span />
        <span>{t('Becomes')}</span>
      </li>
      {columns.map((column) => (
        <Column
          key={column}
          name={columnWords(found, column)}
          report={report.find((each) => each.column === column)}
          target={mapping[column] ?? null}
          chosen={found.options.formats[column]}
          options={optionsFor(module, mapping, column)}
          onMap={(target) => onMap(column, target)}
          onFormat={(format) => onFormat(column, format)}
        />
      ))}
    </ul>
  )
}

type ColumnProps = {
  name: string
  report: ImportColumn | undefined
  target: string | null
  chosen: Format | undefined
  options: Option[]
  onMap: (target: string | null) => void
  onFormat: (format: Format) => void
}

function Column({ name, report, target, chosen, options, onMap, onFormat }: ColumnProps) {
  const examples = report?.examples ?? []
  return (
    <li className={styles.column} data-left-out={target === null || undefined}>
      <div className={styles.from}>
        <strong>{name}</strong>
        <span className={styles.examples}>
          {examples.length ? examples.slice(0, 3).join(' · ') : t('Empty')}
        </span>
      </div>
      <Icon name="arrow-right" />
      <div className={styles.to}>
        <Choice
          label={t('What {name} becomes', { name })}
          placeholder={t('Left out')}
          value={target}
          clearable
          options={options}
          onChange={onMap}
        />
        {report?.needs_choice || chosen ? (
          <Choice
            label={t('How {name} is read', { name })}
            placeholder={t('How is it read?')}
            invalid={report?.needs_choice === true}
            value={chosen ?? null}
            options={
              report?.choices.length
                ? report.choices.map(({ format, example, becomes }) => ({
                    value: format,
                    label: formatWords[format],
                    description: t('{example} is {becomes}', { example, becomes }),
                  }))
                : [{ value: chosen ?? '', label: chosen ? formatWords[chosen] : '' }]
            }
            onChange={(next) => {
              if (next) onFormat(next as Format)
            }}
          />
        ) : null}
        {report?.faults ? (
          <details className={styles.faults}>
            <summary>
              {t('1 cell cannot be taken | {count} cells cannot be taken', {
                count: report.faults,
              })}
            </summary>
            <ul>
              {report.first_faults.map(({ line, value, message }) => (
                <li key={`${line} ${message}`}>
                  {t('Line {line}:', { line })} {value ? <q>{value}</q> : t('empty cell')} {message}
                </li>
              ))}
            </ul>
          </details>
        ) : null}
      </div>
    </li>
  )
}

const formatWords: { [format in Format]: string } = {
  decimal_point: t('Decimal point'),
  decimal_comma: t('Decimal comma'),
  day_first: t('Day first'),
  month_first: t('Month first'),
}

/** The fields that a column may become: those that no other column has. */
function optionsFor(module: Module, mapping: Import['mapping'], column: string): Option[] {
  const taken = new Set(
    Object.entries(mapping).flatMap(([each, target]) => (each === column ? [] : [String(target)])),
  )
  const fields = module.fields
    .filter((field) => isEditable(field) && !taken.has(field.name))
    .map(({ name, label, is_custom }) => ({
      value: name,
      label,
      group: is_custom ? t('Custom fields') : t('Fields'),
    }))
  const target = mapping[column] as string | null | undefined
  if (!target || fields.some(({ value }) => value === target)) return fields
  const label = fieldOf(module, target)?.label ?? targetWords(target)
  return [{ value: target, label, group: t('Fields') }, ...fields]
}
