import type { SectionProps } from '../records/definition.ts'
import { Html } from '../records/html.tsx'
import { Empty } from '../ui/empty.tsx'
import styles from './documents.module.css'

/** The text of a document, or a description of its file. */
export default function DocumentText({ record }: SectionProps) {
  const { editor_html_content: html, file_name: file } = record
  if (typeof html === 'string' && html.trim()) {
    return (
      <div className={styles.paper}>
        <Html html={html} />
      </div>
    )
  }
  return typeof file === 'string' ? (
    <Empty small icon="file" title={file}>
      Download the file to read it.
    </Empty>
  ) : (
    <Empty small icon="file-text" title="Nothing is written yet" />
  )
}
