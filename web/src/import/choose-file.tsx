import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Import, ImportModule } from '../data/imports.ts'
import { describedAs, importsQuery, uploadImport } from '../data/imports.ts'
import type { ModuleSummary } from '../data/modules.ts'
import { modulesQuery } from '../data/modules.ts'
import { useSubmit } from '../data/use-submit.ts'
import { relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Banner } from '../ui/banner.tsx'
import { capital } from '../ui/capital.ts'
import { Choice } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { DropZone } from '../ui/file-picker.tsx'
import { importable } from '../records/list/importable.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Status } from '../ui/status.tsx'
import look from '../ui/table.module.css'
import styles from './import.module.css'
import { statusOf } from './words.ts'
import { moduleWords } from '../data/module-words.ts'
import { t } from '../locales/text.ts'

/** What a file holds by its kind, whatever was chosen. */
function moduleOf({ name }: File): ImportModule | undefined {
  if (/\.(vcf|vcard)$/i.test(name)) return 'contacts'
  return /\.(ics|ical)$/i.test(name) ? 'meetings' : undefined
}

/** Whether the person imports records of a module: whoever imports nothing has no list of imports either. */
function mayImport({ module, can }: ModuleSummary): boolean {
  return can.create !== 'none' && importable.some((each) => describedAs(each) === module)
}

/** The start of an import: the type of its rows, and the file. */
export function ChooseFile() {
  const search = useSearch({ from: '/import' })
  const navigate = useNavigate()
  const { data: modules = [] } = useQuery(modulesQuery)
  const { data: imports = [] } = useQuery({ ...importsQuery, enabled: modules.some(mayImport) })
  const options = importable.flatMap((module) => {
    const found = modules.find((each) => each.module === describedAs(module))
    if (!found || found.can.create === 'none') return []
    return [{ value: module, label: capital(found.word.many) }]
  })
  const module = options.find(({ value }) => value === search.module)?.value ?? 'companies'
  const { submit, isBusy, problem } = useSubmit(async (file: File) => {
    const created = await uploadImport(moduleOf(file) ?? module, file)
    await navigate({ to: '/import/$id', params: { id: created.import_id } })
  })
  const wrongFile = problem?.of('file')

  return (
    <>
      <PageHeader title={t('Import')} />
      <div className={styles.page}>
        <div className={styles.narrow}>
          <Field label={t('What the rows contain')}>
            <Choice
              value={module}
              options={options}
              onChange={(next) =>
                void navigate({
                  to: '/import',
                  search: next ? { module: next } : {},
                  replace: true,
                })
              }
            />
          </Field>
          <DropZone
            boxed
            multiple={false}
            disabled={isBusy}
            label={t('Drop the file')}
            accept=".csv,.tsv,.txt,.xlsx,.vcf,.ics,text/csv,text/vcard,text/calendar"
            onFiles={([file]) => {
              if (file) submit(file)
            }}
          >
            <strong>{isBusy ? t('Reading the file…') : t('Drop a file here')}</strong>
            <p className={styles.hint}>
              {t(
                'CSV, TSV or Excel (.xlsx); contacts also as vCard (.vcf), meetings also as iCalendar (.ics). Up to 100 MB. Nothing is written before you start.',
              )}
            </p>
          </DropZone>
          {problem ? (
            <Banner kind="bad" boxed>
              {wrongFile ? t('The file {fault}', { fault: wrongFile }) : problem.message}
              {problem.requestId
                ? ` ${t('(request {requestId})', { requestId: problem.requestId })}`
                : null}
            </Banner>
          ) : null}
          {imports.length ? <Earlier imports={imports} /> : null}
        </div>
      </div>
    </>
  )
}

function Earlier({ imports }: { imports: Import[] }) {
  const format = useFormat()
  return (
    <section className={styles.section}>
      <h2>{t('Earlier imports')}</h2>
      <ul className={`${styles.earlier} ${look.lines}`}>
        {imports.map((each) => {
          const status = statusOf(each)
          return (
            <li key={each.import_id}>
              <Link to="/import/$id" params={{ id: each.import_id }}>
                {each.file_name}
              </Link>
              <Status color={status.color}>{status.label}</Status>
              <small>
                {capital(moduleWords(each.module))} · {relative(each.creation_time, format)}
              </small>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
