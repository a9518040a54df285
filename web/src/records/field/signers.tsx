import { useFormat } from './use-format.ts'
import type { AnyRecord } from '../../data/record.ts'
import type { Recipient } from '../../data/signatures.ts'
import { hasActed, mustAct, recipientsOf } from '../../data/signatures.ts'
import { stateOfSigners } from './signer-words.ts'
import styles from './signers.module.css'

/** Who has signed, as a bar with a piece for each who must, and who is waited for, in words. */
export function Signers({ record }: { record: AnyRecord }) {
  const format = useFormat()
  const of = recipientsOf(record)
  const state = stateOfSigners(of, format)
  if (!state) return null
  return (
    <span className={styles.signers} data-tone={state.tone}>
      <SignersBar of={of} />
      <span title={state.words}>{state.words}</span>
    </span>
  )
}

/** A piece for each who must sign or approve, filled once they have. */
export function SignersBar({ of }: { of: Recipient[] }) {
  return (
    <span className={styles.bar} aria-hidden="true">
      {of.filter(mustAct).map((each) => (
        <span key={each.id} data-state={hasActed(each) ? 'done' : each.status} />
      ))}
    </span>
  )
}
