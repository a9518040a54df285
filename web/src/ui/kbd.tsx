import { classes } from './classes.ts'
import css from './kbd.module.css'
import { keysOf } from './keys.ts'

/** The keys of a shortcut, with this platform's names: `Mod+K`, `g h`. */
export function Kbd({ keys, plain = false }: { keys: string; plain?: boolean }) {
  return (
    <kbd className={css.keys}>
      {keysOf(keys).map((key, i) => (
        // a shortcut's keys never change their order
        <kbd key={i} className={classes(css.key, plain && css.plain)}>
          {key}
        </kbd>
      ))}
    </kbd>
  )
}
