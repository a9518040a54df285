import { quoted } from '../../../kit/ground/cut.ts'
import type { Recipient } from '../requests/request.ts'
import { acts } from '../requests/request.ts'
import { strokes } from './overlay.ts'
import type { Paper } from './paper.ts'
import { edge, ink, quiet, sheetWithRoom, write } from './paper.ts'
import type { Sealed } from './sealed.ts'

/** Writes who signed the document, when and from where, and what the reader has to know about it. */
export function writeCertificate(
  paper: Paper,
  { document, request, recipients, entries, organization }: Sealed,
  notes: string[],
) {
  write(paper, 'Signature certificate', { hand: 'bold', size: 20, after: 10 })
  const facts = [
    `Document: ${document.document_name}`,
    `Id: ${document.id}`,
    `Requested by: ${organization}`,
    `Signed: ${shown(document.signed_at)}`,
    `SHA-256 of what was signed: ${request.content_hash}`,
  ]
  for (const fact of [...facts, ...notes]) write(paper, fact, { after: 2 })
  write(paper, 'Signatures', { hand: 'bold', size: 14, before: 16, after: 6 })
  for (const person of recipients.filter(acts)) signature(paper, person)
  write(paper, 'What happened', { hand: 'bold', size: 14, before: 16, after: 6 })
  for (const { at, title, address, user_agent } of entries) {
    const where = [address, user_agent].filter(Boolean).join(' · ')
    write(paper, `${shown(at)}  ${title}`, { size: 9, before: 3 })
    if (where) write(paper, where, { size: 8, color: quiet })
  }
}

function signature(paper: Paper, person: Recipient) {
  const { name, email, role, signature_name, signature_path, acted_at, address } = person
  const files = attachedOf([person])
  const { operators } = sheetWithRoom(paper, 110)
  if (signature_path) {
    operators.push(ink, strokes(signature_path, edge, paper.y, 0.3))
    paper.y -= 66
  } else {
    write(paper, signature_name ?? name, { hand: 'script', size: 22, after: 4 })
  }
  const did = role === 'approver' ? 'Approved' : 'Signed'
  write(paper, signature_name ?? name, { hand: 'bold' })
  write(paper, `${did} ${shown(acted_at)} as ${email}${address ? ` from ${address}` : ''}`, {
    size: 9,
    color: quiet,
    after: files.length ? 2 : 12,
  })
  for (const [i, { file, label }] of files.entries()) {
    const what = `${label ? `${label}: ` : ''}${quoted(file.name)}`
    const after = i === files.length - 1 ? 12 : 2
    const text = `Attached ${what} (${sizeOf(file.size)}), SHA-256 ${file.hash}`
    write(paper, text, { size: 9, color: quiet, after })
  }
}

/** What recipients attached at the fields that they were asked to. */
export function attachedOf(recipients: Recipient[]) {
  return recipients.flatMap(({ name, fields }) =>
    fields.flatMap(({ file, label }) => (file ? [{ name, file, label }] : [])),
  )
}

function sizeOf(bytes: number): string {
  const kibibytes = bytes / 1024
  if (kibibytes < 1) return `${bytes} bytes`
  return kibibytes < 1024 ? `${kibibytes.toFixed(1)} KiB` : `${(kibibytes / 1024).toFixed(1)} MiB`
}

function shown(at: string | null | undefined): string {
  return at ? `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC` : ''
}
