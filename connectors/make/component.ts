/** The id of the app's one connection. */
export const connection = 'perennial'

/** A module, webhook, RPC or connection as `makecomapp.json` lists it. */
export type Component = { [key: string]: unknown; codeFiles: { [code: string]: string } }

/** Adds the code files of a component; gives their paths by the names of the codes. */
export type Codes = (
  folder: string,
  id: string,
  codeOf: { [code: string]: [suffix: string, value: unknown] },
) => { [code: string]: string }
