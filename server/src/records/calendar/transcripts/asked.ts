/** The job in which a language model reads a transcript; `at` is when that was added, so that a later one is left alone. */
export type ToRead = { calendar_id: string; at: string }

/** Its name, without the code that it runs. */
export const readingByModel = { name: 'read_transcript' }
