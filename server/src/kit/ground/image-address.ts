/** The address of a picture in the text of a document: the id of its first version, and its own. */
export const imageAddress = /^\/api\/documents\/(\w{1,25})\/images\/(\w{1,25})\/$/

/** The largest picture of a text, in bytes, and of all pictures of a document together. */
export const pictureLimit = 5 * 2 ** 20
export const imagesLimit = 40 * 2 ** 20

/** The addresses of the pictures of documents in HTML, each once. */
export function imageAddresses(html: string): string[] {
  const found = html.matchAll(/\/api\/documents\/\w{1,25}\/images\/\w{1,25}\//g)
  return [...new Set([...found].map(([address]) => address))]
}
