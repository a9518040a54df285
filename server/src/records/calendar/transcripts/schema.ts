import type { Static } from 'typebox'
import { Type } from 'typebox'
import { enumeration, orNull, schema } from '../../../kit/ground/json-schema.ts'
import { languages } from '../../../model/languages/language.ts'
import { transcriptFormats } from './parse.ts'

/** For how many days a transcript is stored, if the request does not say. */
export const daysStored = 90

/** What a transcript is added with. */
export const transcriptBody = Type.Object({
  text: Type.String({
    minLength: 1,
    maxLength: 800_000,
    pattern: '\\S',
    description:
      'what was said: WebVTT, SRT, or text as Zoom, Teams, Meet and Fathom export it, or lines such as `Ada Lind: …`',
  }),
  keep_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: daysStored,
      description: 'after how many days it is removed',
    }),
  ),
})

const at = orNull(Type.Integer({ description: 'seconds from the start of the recording' }))
const speaker = orNull(Type.String({ description: 'who said it, as the transcript names them' }))
const day = orNull(schema<string>({ type: 'string', format: 'date' }))

const owner = orNull(
  Type.Object(
    {
      user_id: orNull(Type.String({ description: 'null where the name is that of no user' })),
      name: Type.String({ description: 'the full name, or as the transcript names them' }),
    },
    { title: 'SuggestedOwner' },
  ),
)

const item = Type.Object(
  {
    item_id: Type.String({ description: 'for accepting it' }),
    title: Type.String({ description: 'what is to be done' }),
    owner,
    due_date: day,
    quote: Type.String({ description: 'the words that it was read from' }),
    at,
    speaker,
    duplicate_of: {
      ...orNull(
        Type.Object(
          { task_id: Type.String(), title: Type.String({ description: 'its title' }) },
          { title: 'TaskThere' },
        ),
      ),
      description: 'an open task of the project that is called the same',
    },
    task_id: orNull(
      Type.String({ description: 'the task that was made of it, until that is deleted' }),
    ),
  },
  { title: 'SuggestedItem' },
)

export const meetingTranscript = Type.Object(
  {
    calendar_id: Type.String(),
    meeting_insight_id: Type.String(),
    summary: orNull(Type.String()),
    decisions: Type.Array(
      Type.Object(
        { text: Type.String({ description: 'what was decided, as it was said' }), at, speaker },
        { title: 'MeetingDecision' },
      ),
      { description: 'what was decided, in the order of the meeting' },
    ),
    suggested_items: Type.Array(item, {
      description: 'what somebody took on, in the order of the meeting',
    }),
    source: enumeration(['rules', 'model'], {
      title: 'InsightSource',
      description: 'whether rules of this service read it, or a language model',
    }),
    model: orNull(Type.String({ description: 'the name of the language model' })),
    sent_bytes: orNull(Type.Integer({ description: 'how much was sent to the language model' })),
    is_model_asked: Type.Boolean({
      description:
        'whether a language model is still reading it: its answer replaces that of the rules',
    }),
    language: enumeration(languages, {
      title: 'TranscriptLanguage',
      description: 'the language of most of it',
    }),
    format: enumeration(transcriptFormats, {
      title: 'TranscriptFormat',
      description: 'the layout in which it came',
    }),
    seconds: orNull(Type.Integer({ description: 'until the last line' })),
    speakers: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'as the transcript names them' }),
          user_id: orNull(Type.String({ description: 'the user of this name, if invited' })),
          contact_id: orNull(Type.String({ description: 'the contact of this name, if invited' })),
          share: Type.Integer({ description: 'their part of all words, in percent' }),
        },
        { title: 'TranscriptSpeaker' },
      ),
      { description: 'who spoke, those who said most first' },
    ),
    lines: Type.Array(
      Type.Object(
        { at, speaker, text: Type.String({ description: 'the words' }) },
        { title: 'TranscriptLine' },
      ),
      { description: 'what was said, in order' },
    ),
    added_by: orNull(
      Type.String({ description: 'the name of whoever added it; null if they have left' }),
    ),
    creation_time: schema<string>({
      type: 'string',
      format: 'date-time',
      description: 'when it was added',
    }),
    expires_at: schema<string>({
      type: 'string',
      format: 'date-time',
      description: 'when it is removed',
    }),
  },
  { title: 'MeetingTranscript' },
)
export type MeetingTranscript = Static<typeof meetingTranscript>
