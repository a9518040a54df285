import { html } from 'hono/html'
import type { Voice } from '../../model/languages/language.ts'
import type { Start } from '../../records/surveys/links/start.ts'
import type { Html } from './page.ts'

/** The hidden fields of a form that starts a response, and the message if no script can run. */
export function startFields({ token, puzzle }: Start, { say }: Voice): Html {
  const field = html`<input type="hidden" name="start" value="${token}" />`
  if (!puzzle) return field
  const { salt, target, most } = puzzle
  return html`${field}
    <input
      type="hidden"
      name="proof"
      data-salt="${salt}"
      data-target="${target}"
      data-most="${most}"
      data-sending="${say('survey.sending')}"
    />
    <p class="note" role="status" data-proof-status></p>
    <noscript>
      <p class="wrong">${say('survey.scripts')}</p>
    </noscript>`
}

/**
 * Tries numbers until the SHA-256 of the salt and one of them is the target, in pieces of 25 ms so
 * that the page stays responsive, and submits a form that was sent too early once it is done. The
 * hash is written out because browsers offer theirs to https alone, and one block at a time is faster.
 */
export const proofScript = `
const proof = form.elements.namedItem('proof')
const said = form.querySelector('[data-proof-status]')
const { salt, target, most } = proof.dataset
const primes = []
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n)
const part = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0
const steps = primes.map((p) => part(Math.cbrt(p)))
const initial = primes.slice(0, 8).map((p) => part(Math.sqrt(p)))
const wanted = initial.map((_, i) => parseInt(target.slice(8 * i, 8 * i + 8), 16) | 0)
const words = new Int32Array(64)
const turn = (x, n) => (x >>> n) | (x << (32 - n))
const isTarget = (text) => {
  words.fill(0)
  for (let i = 0; i < text.length; i++) words[i >> 2] |= text.charCodeAt(i) << (24 - 8 * (i % 4))
  words[text.length >> 2] |= 0x80 << (24 - 8 * (text.length % 4))
  words[15] = text.length * 8
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15], y = words[i - 2]
    words[i] = words[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + words[i - 7] +
      (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))
  }
  let a = initial[0], b = initial[1], c = initial[2], d = initial[3]
  let e = initial[4], f = initial[5], g = initial[6], h = initial[7]
  for (let i = 0; i < 64; i++) {
    const t = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + steps[i] + words[i]) | 0
    const u = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g; g = f; f = e; e = (d + t) | 0; d = c; c = b; b = a; a = (t + u) | 0
  }
  if (((a + initial[0]) | 0) !== wanted[0]) return false
  return [a, b, c, d, e, f, g, h].every((word, i) => ((word + initial[i]) | 0) === wanted[i])
}
let next = 0
let sending
const search = () => {
  const until = performance.now() + 25
  while (next < Number(most)) {
    if (isTarget(salt + next)) {
      proof.value = String(next)
      said.textContent = ''
      if (sending) form.requestSubmit(sending)
      return
    }
    next++
    if (next % 64 === 0 && performance.now() > until) return setTimeout(search)
  }
}
form.addEventListener('submit', (event) => {
  if (proof.value) return
  event.preventDefault()
  sending = event.submitter
  said.textContent = proof.dataset.sending
})
setTimeout(search)
`
