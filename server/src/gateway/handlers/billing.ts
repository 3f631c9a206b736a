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
