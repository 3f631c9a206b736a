import { AppError } from '../../lib/app-error.ts'
import type { Client } from '../../relay/call.ts'
import type { Picture } from '../ports.ts'
import { sendJson } from '../response/send-failure.ts'
import type { Handler, HandlerParts, RouteOf } from './handler.ts'

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
const sendPicture = async (picture: Picture, client: Client): Promise<void> => {
  let wake: (() => void) | undefined
  client.listen({ drained: () => wake?.(), gone: () => wake?.() })
  client.head(200, headOf(picture))
  for await (const part of picture.parts) {
    if (client.gone) return
    if (!client.write(Buffer.from(part))) await new Promise<void>((resolve) => (wake = resolve))
  }
  client.end()
}

/** Handler for the picture of a drawing, which needs no key. */
export const createPictureHandler =
  (parts: HandlerParts): Handler<RouteOf<'picture'>> =>
  async ({ client, ip, request }, { mjId }) => {
    if (!(await parts.mayAsk(ip))) throw new AppError('too_many_requests')
    const refuse = (status: number, error: string): void => sendJson(client, status, JSON.stringify({ error }))
    try {
      const picture = await parts.drawingPicture(mjId)
      if (picture === undefined) return refuse(400, 'midjourney_task_not_found')
      await sendPicture(picture, client)
    } catch (error) {
      parts.log('task_picture_unavailable', { mj_id: mjId, error })
      if (!client.begun) refuse(500, 'http_get_image_failed')
      // Half a picture must not look like a whole one.
      else request.destroy()
    }
  }
