import { Banner } from './banner.tsx'

/** A sentence, and the fields that it is about. */
type Problem = { message: string; fields: readonly unknown[] }

/** What went wrong with a form as a whole: what is wrong with a field stands beside it. */
export function ProblemBanner({ problem }: { problem: Problem | undefined }) {
  if (!problem || problem.fields.length) return null
  return (
    <Banner kind="bad" boxed>
      {problem.message}
    </Banner>
  )
}
