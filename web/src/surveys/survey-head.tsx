import type { SectionProps } from '../records/definition.ts'
import { number } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Figures } from '../ui/figures.tsx'

/** How often a survey was opened and answered. */
export default function SurveyHead({ record }: SectionProps) {
  const format = useFormat()
  const [views, answers] = [Number(record.view_count), Number(record.response_count)]
  return (
    <Figures
      of={[
        { label: 'Answers', value: number(answers, format) },
        { label: 'Opened', value: number(views, format) },
        { label: 'Questions', value: number(Number(record.field_count), format) },
      ]}
    />
  )
}
