import { randomBytes } from 'node:crypto'
import type { Context } from '../../kit/ground/context.ts'

type Call = { is_video_conference?: boolean; link?: string | null }

/**
 * The link of a video conference that has none: a room of its own at the server of the operator's choice, which nobody
 * guesses. Nothing where there is no server, or no video conference.
 */
export function videoCall(
  { services }: Context,
  { is_video_conference, link }: Call,
): { link?: string } {
  const { videoCallsUrl } = services
  if (!is_video_conference || link || !videoCallsUrl) return {}
  return { link: `${videoCallsUrl}/${randomBytes(16).toString('base64url')}` }
}
