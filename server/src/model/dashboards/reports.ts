/** The reports that are counted by more than groups of a list. */
export const reportNames = [
  'go_live',
  'plan',
  'funnel',
  'cohorts',
  'forecast',
  'nps',
  'health',
] as const
export type ReportName = (typeof reportNames)[number]

/** The name of such a report; undefined for any other word. */
export function reportNamed(word: unknown): ReportName | undefined {
  return reportNames.find((name) => name === word)
}

/** What the lines of a report are. */
export const reportSides = [
  'month',
  'template',
  'owner',
  'segment',
  'account',
  'survey',
  'stage',
  'milestone',
] as const
export type ReportSide = (typeof reportSides)[number]

/** What the rows of each report can be, the usual ones first. */
export const sidesOf: { [report in ReportName]: readonly [ReportSide, ...ReportSide[]] } = {
  go_live: ['month', 'template', 'owner', 'segment'],
  plan: ['template'],
  funnel: ['stage'],
  cohorts: ['month'],
  forecast: ['month'],
  nps: ['segment', 'owner', 'account', 'survey', 'month'],
  health: ['month'],
}
