import { createHmac } from 'node:crypto'
import type { GuardedPost } from '#server/lib/security/guarded-post.ts'
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

/** `v1,` and base64 of HMAC-SHA-256 over id, timestamp and body, as standardwebhooks.com describes it. */
export const webhookSignature = (secret: string, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`

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
    const key = secret()
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
    }
    if (key !== '') headers['webhook-signature'] = webhookSignature(key, id, timestamp, body)
    const status = await post({ url: address(), headers, body, timeoutMs })
    if (status < 200 || status > 299) throw new Error(`the webhook answered HTTP ${status}`)
  },
})
