import type { GuardedPost } from '#server/lib/security/guarded-post.ts'
import { signedHeaders } from '#server/lib/security/webhook-signature.ts'
import type { UsageSink } from './ports.ts'

export interface WebhookSinkParts {
  readonly address: () => string
  /** Empty sends no signature. */
  readonly secret: () => string
  readonly post: GuardedPost
  readonly now: () => number
}

const mostRecords = 500
const timeoutMs = 30_000

/** Posts batches to an address; any answer but 2xx is a failure. */
export const createWebhookSink = ({ address, secret, post, now }: WebhookSinkParts): UsageSink => ({
  name: 'webhook',
  mostRecords,
  longestWait: 0,
  isOn: () => address() !== '',

  async deliver(records) {
    const id = `${records[0]?.id}_${records.length}`
    const timestamp = Math.floor(now() / 1000)
    const body = JSON.stringify({ type: 'usage', records })
    const headers = signedHeaders(secret(), { id, timestamp, body })
    const status = await post({ url: address(), headers, body, timeoutMs })
    if (status < 200 || status > 299) throw new Error(`the webhook answered HTTP ${status}`)
  },
})
