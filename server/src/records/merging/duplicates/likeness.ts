/** How records of a type are searched for duplicates. */
export type Likeness = {
  /** the fields of each record that a group shows */
  shows: string[]
  /** the walks, the most reliable first; each follows an index `(organization_id, column, id)` */
  walks: Walk[]
  /** a column that must not differ between two records if only their names are alike */
  apart?: { column: string; reason: string }
}

export type Walk = {
  column: string
  /** the reason why records with the same value may be duplicates, and its certainty, from 0 to 1 */
  reason: string
  score: number
  /** whether neighbours in the column's order with nearly the same text also count */
  similar?: { reason: string; score: number }
}

export const companyLikeness: Likeness = {
  shows: ['id', 'company_id', 'company_name', 'domain', 'website_url', 'company_owner'],
  walks: [
    { column: 'host_key', reason: 'same_domain', score: 0.95 },
    {
      column: 'words_key',
      reason: 'same_name',
      score: 0.85,
      similar: { reason: 'similar_name', score: 0.8 },
    },
  ],
}

export const contactLikeness: Likeness = {
  shows: ['id', 'contact_id', 'full_name', 'primary_email', 'phone', 'company', 'contact_owner'],
  walks: [
    { column: 'primary_email_key', reason: 'same_email', score: 0.98 },
    { column: 'phone_key', reason: 'same_phone', score: 0.85 },
    {
      column: 'words_key',
      reason: 'same_name',
      score: 0.6,
      similar: { reason: 'similar_name', score: 0.55 },
    },
  ],
  apart: { column: 'company_id', reason: 'same_company' },
}

/** A record on a walk: its id and the columns of every walk. */
export type Row = { id: string; [column: string]: unknown }

/** Whether all rows have the same value in a column, not null. */
export function areSame(rows: Row[], column: string): boolean {
  const value = rows[0]?.[column]
  return Boolean(value) && rows.every((row) => row[column] === value)
}

/**
 * The certainty that the rows are duplicates, and the reasons. Several reasons increase the certainty;
 * `similarity` is that of the least similar pair, if they were found by similar names.
 */
export function scoreOf(
  { walks, apart }: Likeness,
  { rows, similarity }: { rows: Row[]; similarity?: number },
): { score: number; reasons: string[] } {
  const reasons: string[] = []
  let doubt = 1
  const add = (reason: string, score: number) => {
    reasons.push(reason)
    doubt *= 1 - score
  }
  for (const { column, reason, score, similar } of walks) {
    if (areSame(rows, column)) add(reason, score)
    else if (similar && similarity !== undefined) add(similar.reason, similar.score * similarity)
  }
  if (apart && reasons.some((each) => each.endsWith('_name')) && areSame(rows, apart.column)) {
    add(apart.reason, 0.7)
  }
  return { score: Math.round((1 - doubt) * 100) / 100, reasons }
}
