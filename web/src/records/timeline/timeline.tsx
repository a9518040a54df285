/** What happened to a record, newest first; `most` entries at first. */
export function Timeline(_props: { module: string; id: string; most?: number }) {
  return null
}
