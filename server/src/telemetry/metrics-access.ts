import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createAddressList } from '../lib/security/address-list.ts'

export interface MetricsAccess {
  /** Asked for as `Authorization: Bearer …`; undefined where no token opens the metrics. */
  readonly token: string | undefined
  /** Addresses and networks that need no token. */
  readonly allow: readonly string[]
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Says whether a request may read the metrics: by its address, or by the token. Without either nobody may.
 * `addressOf` reads forwarding headers from trusted proxies only.
 */
export const createMetricsAccess = (
  { token, allow }: MetricsAccess,
  addressOf: (request: IncomingMessage) => string,
): ((request: IncomingMessage) => boolean) => {
  const list = createAddressList(allow)
  const expected = token === undefined ? undefined : digest(token)
  return (request) => {
    if (allow.length > 0 && list.has(addressOf(request))) return true
    const shown = /^Bearer (.{1,1000})$/i.exec(request.headers.authorization ?? '')?.[1]
    return expected !== undefined && shown !== undefined && timingSafeEqual(expected, digest(shown))
  }
}
