import { createHmac } from 'node:crypto'
import { AppError } from '../../lib/app-error.ts'
import { networkAdvice } from '../../lib/security/address-failure.ts'
import type { EgressGuard } from '../../lib/security/egress.ts'
import { createGuardedPost } from '../../lib/security/guarded-post.ts'

/** Why a notice did not arrive, as an error that its owner may read. */
export class DeliveryFailure extends Error {
  readonly error: AppError

  constructor(error: AppError) {
    super(error.message, { cause: error })
    this.name = 'DeliveryFailure'
    this.error = error
  }
}

export interface WebhookTarget {
  readonly url: string
  /** Empty sends no signature. */
  readonly secret: string
}

export interface WebhookParts {
  /** For addresses that users typed. */
  readonly egress: EgressGuard
  /** For the worker's address, which the operator typed. */
  readonly operatorEgress: EgressGuard
  /** Options WorkerUrl and WorkerValidKey; undefined posts directly. */
  worker(): { readonly url: string; readonly key: string } | undefined
  /** Further certificate authorities, in PEM. */
  readonly ca?: string
  readonly timeoutMs?: number
}

export type SendWebhook = (target: WebhookTarget, body: string) => Promise<void>

export interface WebhookPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
  /** Sent by the worker alone, as its protocol has it; empty for none. */
  readonly bearer?: string
}

/** Posts to an address that a user typed and answers the status, which is 2xx. Throws `DeliveryFailure`. */
export type PostWebhook = (post: WebhookPost) => Promise<number>

const timeoutMs = 5000

/** Lowercase hex of HMAC-SHA256 over exactly the bytes that are sent. */
const signature = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('hex')

const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return String(error)
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown'
}

/** `url` is the address whose failure is explained to the one who typed it; undefined where another server connects to it. */
const failureOf = (error: unknown, url: string | undefined, seconds: number): DeliveryFailure => {
  if (error instanceof DeliveryFailure) return error
  if (error instanceof AppError) return new DeliveryFailure(error)
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new DeliveryFailure(new AppError('notice_timeout', { params: { seconds }, cause: error }))
  }
  const asked = url === undefined ? undefined : { url, key: '', proxy: '', timeoutMs: seconds * 1000 }
  const advice = asked && error instanceof Error ? networkAdvice(asked, error) : undefined
  if (advice) return new DeliveryFailure(advice)
  return new DeliveryFailure(new AppError('notice_unreachable', { params: { reason: codeOf(error) }, cause: error }))
}

const success = (status: number): number => {
  if (status >= 200 && status < 300) return status
  const code = status >= 300 && status < 400 ? 'notice_redirected' : 'notice_answered'
  throw new DeliveryFailure(new AppError(code, { params: { status } }))
}

/**
 * Posts by https only, to an address that is looked up, checked and connected to in one step, without following redirects,
 * within 5 seconds unless `timeoutMs` says otherwise.
 */
export const createWebhookPost = (parts: WebhookParts): PostWebhook => {
  const limit = parts.timeoutMs ?? timeoutMs

  const post = async (egress: EgressGuard, { url, headers, body }: WebhookPost): Promise<number> =>
    success(await createGuardedPost(egress, parts.ca)({ url, headers, body, timeoutMs: limit }))

  const viaWorker = async (worker: { url: string; key: string }, order: WebhookPost): Promise<number> => {
    const { url, bearer = '' } = order
    // The worker is trusted with where it connects to; a private address must not even be asked of it.
    await parts.egress.check(url)
    const headers = { ...order.headers, ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }) }
    // The body stands in it as it was signed.
    const text = `${JSON.stringify({ url, key: worker.key, method: 'POST', headers }).slice(0, -1)},"body":${order.body}}`
    const address = `${worker.url.replace(/\/+$/, '')}/`
    return post(parts.operatorEgress, { url: address, headers: { 'content-type': 'application/json' }, body: text })
  }

  return async (order) => {
    const worker = parts.worker()
    try {
      if (new URL(order.url).protocol !== 'https:') throw new AppError('webhook_url_invalid')
      return await (worker ? viaWorker(worker, order) : post(parts.egress, order))
    } catch (error) {
      throw failureOf(error, worker ? undefined : order.url, limit / 1000)
    }
  }
}

/** Posts notices, signed where the target has a secret. */
export const createWebhookSender = (parts: WebhookParts): SendWebhook => {
  const post = createWebhookPost(parts)
  return async ({ url, secret }, body) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (secret !== '') headers['x-webhook-signature'] = signature(secret, body)
    await post({ url, headers, body, bearer: secret })
  }
}
