import { Type } from 'typebox'

/** The least number of answers of which something is said: fewer say nothing about others, and tell who said what. */
export const needed = 30

/** How many answers there are, and how many are needed, as properties of an answer. */
export const neededProperties = {
  answers: Type.Integer({ description: 'finished answers that this is about' }),
  needed: Type.Integer({ description: 'how many are needed; below, the rest is empty' }),
}
