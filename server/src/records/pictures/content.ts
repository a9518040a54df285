/** A picture: its size in pixels, and its bytes without what cameras and programs write beside it. */
export type Picture = { width: number; height: number; content: Buffer }
