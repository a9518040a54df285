import { useParams } from '@tanstack/react-router'
import { usePageTitle } from '../records/page-title.ts'
import { ChooseFile } from './choose-file.tsx'
import { OneImport } from './one-import.tsx'
import { t } from '../locales/text.ts'

/** The import of a spreadsheet: choose a file, check its columns, import its rows. */
export default function ImportPage() {
  const { id } = useParams({ strict: false }) as { id?: string }
  usePageTitle(t('Import'))
  return id ? <OneImport key={id} id={id} /> : <ChooseFile />
}
