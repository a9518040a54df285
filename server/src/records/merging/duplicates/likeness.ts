/** How records of a kind are searched for duplicates. */
export type Likeness = {
  /** the fields that a group shows of each record */
  shows: string[]
  /** the walks, the surest first; each goes along an index `(organization_id, column, id)` */
  walks: Walk[]
  /** a column in which two records must not name different others, where only their names are alike */
  apart?: { column: string; reason: string }
}

export type Walk = {
  column: string
  /** why records with the same value may be one, and how sure that is, from 0 to 1 */
  reason: string
  score: number
  /** neighbours in the order of the column whose texts are nearly the same count too */
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

/** Whether all rows hold the same value in a column, and do hold one. */
export function areSame(rows: Row[], column: string): boolean {
  const value = rows[0]?.[column]
  return Boolean(value) && rows.every((row) => row[column] === value)
}

/**
 * How sure it is that the rows are one record, and why. Several reasons together are surer than each;
 * `similarity` is that of the least similar pair, where similar names led here.
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
