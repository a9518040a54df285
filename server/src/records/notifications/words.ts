import { daysBetween } from '../../kit/ground/dates.ts'
import type { MessageKey, Voice } from '../../model/languages/language.ts'
import type { Shown } from './shown.ts'

/** A notification that is mailed. */
export type Notice = {
  category: string
  title: string
  description: string | null
  creation_time: string
  /** who caused it; null for the service itself */
  person: string | null
  /** what happened, if the category does not determine it */
  event?: string
  /** how many tasks of a person it tells of besides its record */
  more?: number
  /** the due date for which it was created */
  due_date?: string
}

/** The text of a notification in its reader's language. */
export type Words = { subject: string; text: string }

/**
 * The text of a notification, from what its reader may read; undefined if it is no longer true, such
 * as for a task that has been completed. `today` is the organization's.
 */
export function wordsOf(
  notice: Notice,
  { title: record, due_date, is_completed }: Shown,
  voice: Voice,
  today: string,
): Words | undefined {
  const plain = { subject: notice.title, text: notice.description ?? notice.title }
  if (record === null) return plain
  const person = notice.person
  const said = (
    subject: MessageKey,
    text: MessageKey,
    more: { [name: string]: string | number } = {},
  ) => ({
    subject: voice.say(subject, { record, ...more }),
    text: voice.say(text, { record, ...more }),
  })
  switch (notice.category) {
    case 'mention':
      return person ? said('mention.subject', 'mention.text', { person }) : plain
    case 'comment':
      return person ? said('comment.subject', 'comment.text', { person }) : plain
    case 'assignment':
      if (notice.more) {
        const others = { person: person ?? '', count: notice.more }
        return said(
          'assignments.subject',
          person ? 'assignments.text' : 'assignments.subject',
          others,
        )
      }
      return said('assignment.subject', person ? 'assignment.text' : 'assignment.subject', {
        person: person ?? '',
      })
    case 'due':
    case 'overdue': {
      if (is_completed || !due_date || (notice.due_date && notice.due_date !== due_date)) {
        return undefined
      }
      const days = daysBetween(today, due_date)
      const date = voice.day(due_date)
      if (days < 0) return said('overdue.subject', 'overdue.text', { date })
      if (days > 1) return undefined
      return said(days ? 'due_tomorrow.subject' : 'due_today.subject', 'due.text', { date })
    }
    case 'survey_response':
      return notice.event === 'automation'
        ? plain
        : said('survey_response.subject', 'survey_response.text')
    default: {
      const word = events.find((each) => each === notice.event)
      if (!word) return plain
      const { subject, text } = said(`${word}.subject`, `${word}.text`, {
        person: person ?? '',
        // to whom a document was handed over
        to: notice.description ?? '',
      })
      // why somebody declined, in their own words
      const reason = word === 'document_declined' ? notice.description : null
      return { subject, text: reason ? `${text} “${reason}”` : text }
    }
  }
}

const events = [
  'document_signed',
  'document_declined',
  'document_delegated',
  'document_expired',
  'document_unsealed',
  'meeting_accepted',
  'meeting_tentative',
  'meeting_declined',
  'meeting_countered',
  'meeting_date_answered',
] as const
