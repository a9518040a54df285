/**
 * What members of JSON mean: a noun phrase, and a value such as it could have. A name usually means the same
 * everywhere; if it does not, the title of the schema goes before it: `Survey.name`.
 */
export type Words = { [name: string]: readonly [description: string, example?: unknown] }
