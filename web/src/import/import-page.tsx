import { useParams } from '@tanstack/react-router'
import { usePageTitle } from '../records/page-title.ts'
import { ChooseFile } from './choose-file.tsx'
import { OneImport } from './one-import.tsx'

/** The import of a spreadsheet: a file is chosen, its columns are looked at, its rows are brought in. */
export default function ImportPage() {
  const { id } = useParams({ strict: false }) as { id?: string }
  usePageTitle('Import')
  return id ? <OneImport key={id} id={id} /> : <ChooseFile />
}
