/** A JSON Schema (2020-12) object; OpenAPI 3.1 takes it as it is. */
export type JSONSchema = { [keyword: string]: unknown }
