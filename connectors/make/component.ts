/** The id of the app's one connection. */
export const connection = 'perennial'

/** A module, webhook, RPC or connection in `makecomapp.json`. */
export type Component = { [key: string]: unknown; codeFiles: { [code: string]: string } }

/** Adds the code files of a component; returns their paths by the names of the codes. */
export type Codes = (
  folder: string,
  id: string,
  codeOf: { [code: string]: [suffix: string, value: unknown] },
) => { [code: string]: string }
