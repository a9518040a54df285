import type { Answers, FormField, Page } from '../../../model/forms/form-parts.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'

/** The scores of a finished response; null if there was no such question. */
export type ResponseScores = {
  /** 0 to 10 */
  nps: number | null
  /** whether the satisfaction rating is one of the two best */
  is_satisfied: boolean | null
}

/** The scores of a response: the first answered questions of these types. */
export function scoresOf(pages: Page[], answers: Answers): ResponseScores {
  const questions = questionsOf(pages)
  const rated = (type: FormField['type']) =>
    questions.find(({ id, type: its }) => its === type && typeof answers[id] === 'number')
  const [nps, csat] = [rated('nps'), rated('csat')]
  return {
    nps: nps ? Number(answers[nps.id]) : null,
    is_satisfied: csat ? Number(answers[csat.id]) >= (csat.maxRating ?? 5) - 1 : null,
  }
}
