import type { Client } from '../../relay/call.ts'
import type { Picture } from '../ports.ts'

/** A picture is shown, never run: nothing in it may act as a page of this site. */
const headOf = ({ type }: Picture): readonly string[] => [
  'Content-Type',
  type,
  'Cache-Control',
  'public, max-age=86400',
  'Content-Security-Policy',
  "default-src 'none'; sandbox",
  'X-Content-Type-Options',
  'nosniff',
]

/** Passes a picture on, as fast as the client reads it. */
export const sendPicture = async (picture: Picture, client: Client): Promise<void> => {
  let wake: (() => void) | undefined
  client.listen({ drained: () => wake?.(), gone: () => wake?.() })
  client.head(200, headOf(picture))
  for await (const part of picture.parts) {
    if (client.gone) return
    if (!client.write(Buffer.from(part))) await new Promise<void>((resolve) => (wake = resolve))
  }
  client.end()
}
