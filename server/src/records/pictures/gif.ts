import type { Picture } from './picture.ts'

/** A GIF: its bytes stay, since it has no place for what a camera knows. */
export function readGif(bytes: Buffer): Picture | undefined {
  if (bytes.length < 14) return undefined
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), content: bytes }
}
