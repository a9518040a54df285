import type { SectionProps } from '../records/definition.ts'
import { instant } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Figures } from '../ui/figures.tsx'

/** The progress of a document's signatures, and its file. */
export default function DocumentHead({ record }: SectionProps) {
  const format = useFormat()
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : null)
  const [required, completed] = [record.signatures_required, record.signatures_completed]
  const updated = text('last_update_time')
  const outside = text('external_file_url')
  return (
    <Figures
      of={[
        { label: 'Version', value: record.version === undefined ? null : String(record.version) },
        {
          label: 'Signatures',
          value:
            Number(required) > 0 ? `${Number(completed)} of ${Number(required)}` : 'None requested',
        },
        { label: 'Changed', value: updated ? instant(updated, format) : null },
      ]}
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
    </Figures>
  )
}
