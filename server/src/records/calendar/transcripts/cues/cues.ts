import type { DayWords } from '../days.ts'

/**
 * What in a language shows that somebody takes something on. Texts are the inside of regular expressions, whose
 * alternatives are whole words; apostrophes are straight.
 */
export type Cues = {
  /** words that hardly a sentence of the language is without, separated by blanks */
  common: string
  /** "I will": what follows is what is promised */
  promise: string
  /** "we will": the same, of the speaker's side */
  ours: string
  /** "I'll take that": the promise of what was said before */
  takes: string
  /** "can you" */
  request: string
  /** "we need to", "somebody should" */
  need: string
  /** "needs to be", inside of a sentence */
  passive: string
  /** "action item:" */
  mark: string
  /** after a name: "will", "is going to" */
  others: string
  /** the first person of a verb, with what it becomes: `send`; the group `verb` is the form */
  present?: RegExp
  /** the infinitive of that form, with the rest of the sentence; undefined for a verb that is no work */
  infinitive?(verb: string, rest: string): { verb: string; rest: string } | undefined
  /** words before the verb that say nothing of the task, such as pronouns */
  fill: string
  /** the beginnings of verbs of work */
  work: string
  /** verbs after a promise that are no work: be, think, see */
  idle: string
  /** of the conversation itself: sharing the screen, moving on */
  talk: string
  /** conditions and doubts */
  hedge: string
  /** that something is not done, or was done */
  not: string
  decision: string
  /** "yes", "sure": agreement to a request */
  yes: string
  /** "nobody", "somebody" */
  nobody: string
  /** where a clause that only explains begins */
  clause: string
  /** the end of a sentence that is no part of the task: "please", "for you" */
  tail: string
  /** German and Dutch have infinitives at the end */
  isVerbLast: boolean
  days: DayWords
}
