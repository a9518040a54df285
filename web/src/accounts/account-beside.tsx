import type { SectionProps } from '../records/definition.ts'
import NextMeeting from '../records/page/next-meeting.tsx'
import People from '../records/people/people.tsx'

/** The next meeting with an account, and who at the customer decides, uses and pays. */
export default function AccountBeside(props: SectionProps) {
  return (
    <>
      <NextMeeting {...props} />
      <People {...props} />
    </>
  )
}
