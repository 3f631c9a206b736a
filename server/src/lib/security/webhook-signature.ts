import { createHmac, randomBytes } from 'node:crypto'

export interface SignedMessage {
  /** The same for each attempt to deliver one message. */
  readonly id: string
  /** Unix seconds of the attempt. */
  readonly timestamp: number
  readonly body: string
}

const secretStart = 'whsec_'
const secretBytes = 32

/** A new secret as libraries for Standard Webhooks take it: `whsec_` and base64. */
export const newWebhookSecret = (): string => secretStart + randomBytes(secretBytes).toString('base64')

/** The bytes with which such a secret signs. */
export const webhookKey = (secret: string): Buffer => Buffer.from(secret.slice(secretStart.length), 'base64')

/** Headers of a JSON message, signed as standardwebhooks.com describes it; an empty key sends no signature. */
export const signedHeaders = (key: string | Buffer, { id, timestamp, body }: SignedMessage): Record<string, string> => {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
  }
  if (key.length === 0) return headers
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}
