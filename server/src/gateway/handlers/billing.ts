import { AppError } from '../../lib/app-error.ts'
import { sendJson } from '../response/send-failure.ts'
import { billingAnswer } from './billing-answer.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'

/** Remaining and used amounts of a key, at the addresses of OpenAI's old dashboard. */
export const createBillingHandler = (parts: HandlerParts): Handler<RouteOf<'billing'>> =>
  withCaller(parts, async ({ client, ip }, { question }, caller) => {
    if (!(await parts.mayAsk(ip))) throw new AppError('too_many_requests')
    sendJson(client, 200, JSON.stringify(billingAnswer(question, await parts.accountOf(caller))))
  })

/** Binary fractions add digits behind the last true one. */
const plain = (value: number): number => Number(value.toPrecision(15))

/** Tells the holder of a key what is used and left of its balance and of each limit, and when that is free again. */
export const createKeyUsageHandler = (parts: HandlerParts): Handler<RouteOf<'key_usage'>> =>
  withCaller(parts, async ({ client, ip }, _route, caller) => {
    if (!(await parts.mayAsk(ip))) throw new AppError('too_many_requests')
    const [account, limits] = await Promise.all([parts.accountOf(caller), parts.limitStatesOf?.(caller, ip) ?? []])
    const balance = {
      used: plain(account.used),
      left: account.unlimited ? null : plain(account.remaining),
      expires_at: account.accessUntil,
    }
    sendJson(client, 200, JSON.stringify({ object: 'usage', key: caller.tokenName, balance, limits }))
  })
