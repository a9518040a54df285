import { NumberField } from '../ui/number-field.tsx'
import { useStateFor } from '../ui/use-state-for.ts'
import styles from './settings.module.css'

type Props = { label: string; value: number; isFixed: boolean; onChange: (value: number) => void }

/** Per cent, saved when the field is left. */
export function Probability({ label, value, isFixed, onChange }: Props) {
  const [typed, setTyped] = useStateFor<number | null>(value)
  return (
    <span className={styles.percent}>
      <NumberField
        label={label}
        integer
        min={0}
        max={100}
        suffix="%"
        value={typed}
        disabled={isFixed}
        onChange={setTyped}
        onBlur={() => {
          if (typed === null) setTyped(value)
          else if (typed !== value) onChange(typed)
        }}
      />
    </span>
  )
}
