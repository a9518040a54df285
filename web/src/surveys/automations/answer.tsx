import { useQuery } from '@tanstack/react-query'
import { instant } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { Question } from '../../records/answers/answer-value.tsx'
import { AnswerValue } from '../../records/answers/answer-value.tsx'
import { responseQuery } from './use-automations.ts'
import { t } from '../../locales/text.ts'

type Props = { survey: string; response: string; questions: Question[]; onClose: () => void }

/** One answer, question by question. */
export default function Answer({ survey, response, questions, onClose }: Props) {
  const format = useFormat()
  const { data, error, refetch } = useQuery(responseQuery(survey, response))
  const shown = data ? Object.entries(data.answers) : []
  return (
    <Dialog
      open
      size="large"
      onOpenChange={onClose}
      title={data?.respondent_email ?? t('Answer')}
      description={data?.finished_at ? instant(data.finished_at, format) : undefined}
    >
      {error && !data ? (
        <ReadFault
          small
          title={t('The answer could not be read')}
          error={error}
          onRetry={refetch}
        />
      ) : data === null ? (
        <p>{t('This answer is gone.')}</p>
      ) : data ? (
        <Facts>
          {shown.map(([id, value]) => {
            const question = questions.find((each) => each.id === id)
            return (
              <Fact key={id} label={question?.label ?? t('A deleted question')}>
                <AnswerValue question={question} value={value} />
              </Fact>
            )
          })}
        </Facts>
      ) : (
        <SkeletonRows count={3} />
      )}
    </Dialog>
  )
}
