import de from './labels/de.json' with { type: 'json' }
import es from './labels/es.json' with { type: 'json' }
import fr from './labels/fr.json' with { type: 'json' }
import nl from './labels/nl.json' with { type: 'json' }
import pt from './labels/pt.json' with { type: 'json' }

/** What the service calls fields, their choices and kinds of records, by language: its English is the key. */
export const labels: { [language: string]: { [label: string]: string } } = { de, es, fr, nl, pt }

/** A label in the language of its reader; in English where there is none. */
export function labelIn(language: string | undefined, label: string): string {
  const known = labels[language ?? 'en'] ?? {}
  return Object.hasOwn(known, label) ? (known[label] ?? label) : label
}
