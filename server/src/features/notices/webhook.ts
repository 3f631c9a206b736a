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

const mustBeSuccess = (status: number): void => {
  if (status >= 200 && status < 300) return
  const code = status >= 300 && status < 400 ? 'notice_redirected' : 'notice_answered'
  throw new DeliveryFailure(new AppError(code, { params: { status } }))
}

/**
 * Posts notices: https only, to an address that is looked up, checked and connected to in
 * one step, without following redirects, within 5 seconds; 2xx is success. Throws `DeliveryFailure`.
 */
export const createWebhookSender = (parts: WebhookParts): SendWebhook => {
  const limit = parts.timeoutMs ?? timeoutMs

  const post = async (url: string, egress: EgressGuard, headers: Record<string, string>, body: string) => {
    mustBeSuccess(await createGuardedPost(egress, parts.ca)({ url, headers, body, timeoutMs: limit }))
  }

  const viaWorker = async (
    worker: { url: string; key: string },
    target: WebhookTarget,
    headers: Record<string, string>,
    body: string,
  ): Promise<void> => {
    // The worker is trusted with where it connects to; a private address must not even be asked of it.
    await parts.egress.check(target.url)
    const bearer = target.secret === '' ? {} : { authorization: `Bearer ${target.secret}` }
    const order = { url: target.url, key: worker.key, method: 'POST', headers: { ...headers, ...bearer } }
    // The body stands in it as it was signed.
    const text = `${JSON.stringify(order).slice(0, -1)},"body":${body}}`
    const address = `${worker.url.replace(/\/+$/, '')}/`
    await post(address, parts.operatorEgress, { 'content-type': 'application/json' }, text)
  }

  return async (target, body) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (target.secret !== '') headers['x-webhook-signature'] = signature(target.secret, body)
    const worker = parts.worker()
    try {
      if (new URL(target.url).protocol !== 'https:') throw new AppError('webhook_url_invalid')
      if (worker) await viaWorker(worker, target, headers, body)
      else await post(target.url, parts.egress, headers, body)
    } catch (error) {
      throw failureOf(error, worker ? undefined : target.url, limit / 1000)
    }
  }
}
