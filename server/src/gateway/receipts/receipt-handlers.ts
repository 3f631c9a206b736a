import { AppError } from '../../lib/app-error.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from '../handlers/handler.ts'
import { sendJson } from '../response/send-failure.ts'

/** The signed receipt of a call, for the key that made it. */
export const createReceiptHandler = (parts: HandlerParts): Handler<RouteOf<'receipt'>> =>
  withCaller(parts, async ({ client, ip }, { id }, caller) => {
    if (!(await parts.mayAsk(ip))) throw new AppError('too_many_requests')
    const receipt = await parts.receipts?.of(caller, id)
    if (receipt === undefined) throw new AppError('object_not_found', { params: { id } })
    sendJson(client, 200, receipt)
  })

/** The public keys of receipts, without authentication: a JWK set (RFC 7517). */
export const createReceiptKeysHandler =
  (parts: HandlerParts): Handler<RouteOf<'receipt_keys'>> =>
  async ({ client, ip }) => {
    if (!(await parts.mayAsk(ip))) throw new AppError('too_many_requests')
    sendJson(client, 200, JSON.stringify({ keys: (await parts.receiptKeys?.()) ?? [] }))
  }
