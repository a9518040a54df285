import { capitalized } from '../../kit/record/record.ts'
import { labelOf } from '../field-config/labels.ts'
import { textOf } from '../../kit/ground/html.ts'
import { short as inSentence } from '../activity/sentence.ts'
import type { Activity } from './page.ts'

/** A record by its type, its id and its name. */
export type Named = { type: string; id: string; name: string }

/** The parts of a log entry, as in its own read, that a sentence needs. */
export type Logged = {
  title: string
  description: string
  type: string | null
  raw_description: { [key: string]: unknown }
  created_by: { user_id: string; full_name: string } | null
}

const most = 200

/** An activity in a sentence, such as "Carla Customer answered the survey How are we? with 3 of 10". */
export function activitySentence({ kind, what }: Activity, record: Named | null): string {
  const who = textAt(what.who) ?? 'Somebody'
  const the = inWords(record)
  const said = textAt(what.text)
  switch (kind) {
    case 'answer':
      return `${who} answered ${record ? the : 'a survey'}${typeof what.nps === 'number' ? ` with ${what.nps} of 10` : ''}`
    case 'signature':
      return `${who} ${signed[String(what.status)] ?? 'acted on'} ${the}`
    case 'opened':
      return `${who} opened ${the}`
    case 'meeting':
      return `${capitalized(the)} took place${among(what.people)}`
    case 'comment':
      return `${who} ${typeof what.rating === 'number' ? 'rated' : 'wrote on'} ${the}: ${short(plain(said ?? ''))}`
    case 'mail':
      return said ? short(said) : `${capitalized(record ? the : 'a survey')} was mailed`
    default:
      return `${who} left feedback${said ? `: ${short(said)}` : ''}`
  }
}

const signed: { [status: string]: string } = {
  signed: 'signed',
  approved: 'approved',
  declined: 'declined to sign',
}

/** The words for events, between the person's name and the record's. */
const verbs: { [event: string]: string } = {
  task_created: 'created',
  task_completed: 'completed',
  task_assigned: 'assigned',
  milestone_created: 'created',
  milestone_completed: 'completed',
  document_published: 'published',
  document_signature_requested: 'requested signatures of',
  meeting_scheduled: 'scheduled',
  meeting_rescheduled: 'moved',
  meeting_cancelled: 'cancelled',
  deal_won: 'won',
  deal_lost: 'lost',
  project_completed: 'completed',
}

/** A log entry as a sentence that names the record, unless it `isOwn`: shown in the record's own timeline. */
export function loggedSentence(
  entry: Logged,
  who: string,
  record: Named | null,
  isOwn: boolean,
): string {
  const { type, title, description } = entry
  const the = inWords(record)
  if (!record) return description
  if (type === 'document_signed') return `Everybody signed ${the}`
  if (type === 'task_overdue') return `${capitalized(the)} is overdue`
  if (type === 'deal_stage_changed') {
    return `${who} moved ${the} ${title.replace(/^Deal moved /, '')}`
  }
  const verb = type === null ? undefined : verbs[type]
  if (verb) return `${who} ${verb} ${the}`
  // the log's own sentence, which may not name the record
  const isNamed = description.includes(inSentence(record.name))
  return isOwn || isNamed ? description : `${description} (${the})`
}

function inWords(record: Named | null): string {
  return record ? `the ${labelOf(record.type).toLowerCase()} ${record.name}` : 'something'
}

function among(people: unknown): string {
  const all: unknown[] = Array.isArray(people) ? people : []
  const names = all.filter((name) => typeof name === 'string')
  if (!names.length) return ''
  const shown = names.slice(0, 3).join(', ')
  return ` with ${shown}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`
}

function plain(content: string): string {
  return /<[a-z!/]/i.test(content) ? textOf(content) : content
}

function textAt(value: unknown): string | null {
  return typeof value === 'string' && value.trim() ? value.trim() : null
}

function short(text: string): string {
  const letters = Array.from(text.replace(/\s+/g, ' ').trim())
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : letters.join('')
}
