import { Banner } from './banner.tsx'

/** A sentence, and the fields that it is about. */
type Problem = { message: string; fields: readonly unknown[] }

/** The error of a form as a whole; errors of fields are shown beside them. */
export function ProblemBanner({ problem }: { problem: Problem | undefined }) {
  if (!problem || problem.fields.length) return null
  return (
    <Banner kind="bad" boxed>
      {problem.message}
    </Banner>
  )
}
