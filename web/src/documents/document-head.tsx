import type { SectionProps } from '../records/definition.ts'
import { Strip } from '../records/page/strip.tsx'
import { ButtonLink } from '../ui/button.tsx'

/** The figures of a document, with the progress of its signatures, and its file. */
export default function DocumentHead({ module, record }: SectionProps) {
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : null)
  const [required, completed] = [Number(record.signatures_required), record.signatures_completed]
  const outside = text('external_file_url')
  return (
    <Strip
      {...{ module, record }}
      notes={required > 0 ? { signature_status: `${Number(completed)} of ${required}` } : {}}
    >
      {text('file_path') ? (
        <ButtonLink icon="download" href={text('file_path') ?? ''} download>
          Download
        </ButtonLink>
      ) : outside && /^https?:/.test(outside) ? (
        <ButtonLink icon="external-link" href={outside} target="_blank" rel="noreferrer noopener">
          Open the file
        </ButtonLink>
      ) : null}
    </Strip>
  )
}
