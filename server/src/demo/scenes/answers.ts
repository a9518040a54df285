/** What the people of other customers said, with their scores. */
export const said: { nps: number; csat: number; why?: string }[] = [
  { nps: 9, csat: 5, why: 'The training was excellent.' },
  { nps: 10, csat: 5 },
  { nps: 8, csat: 4 },
  { nps: 6, csat: 3, why: 'The import needed two attempts.' },
  { nps: 10, csat: 5, why: 'Everybody was very helpful!' },
  { nps: 7, csat: 4 },
  { nps: 9, csat: 4, why: 'Clear dates, and they were met.' },
  { nps: 8, csat: 4, why: 'A German manual would help the plant.' },
]
