import { dollarsOf } from '../../billing/amounts/amount-text.ts'
import { cost } from '../../billing/cost.ts'
import { print } from '../../billing/decimal.ts'
import type { Price } from '../../billing/price.ts'
import type { Usage } from '../../billing/usage.ts'
import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'
import type { UsagePath } from '../../dialects/cost/cost-place.ts'
import { usageAt, withFiguresAt, withoutFiguresAt } from '../answer-cost/edit-usage.ts'
import type { TokenCounter } from '../ports.ts'
import type { SessionMeter, SessionProtocol } from './session-protocol.ts'

export interface SessionCostParts {
  /** The id of the session's request, under which it is charged. */
  readonly receipt: string
  readonly price: Price
  /** The upstream's. */
  readonly model: string
  readonly meter: SessionMeter
  readonly protocol: Pick<SessionProtocol, 'usageIn'>
  readonly counter: TokenCounter
  /** The billable part of a usage. */
  billable(usage: Usage): Usage
}

/** Texts stay texts, and binary messages binary. */
const likewise = (message: string | Buffer, bytes: Buffer): string | Buffer =>
  typeof message === 'string' ? bytes.toString() : bytes

/**
 * Writes the cost of each turn into the event that reports its usage. A session is one movement, rounded once: each turn states the
 * growth of the charge since the last statement, so that the sum is the movement.
 */
export class SessionCosts {
  private readonly parts: SessionCostParts
  /** Quota units stated so far. */
  private told = 0
  /** A report that arrived before the end of its turn. */
  private report: JsonObject | undefined

  constructor(parts: SessionCostParts) {
    this.parts = parts
  }

  /** The upstream's event for the client; asynchronous where tokens must be counted first. The meter has read it. */
  stated(event: JsonObject, message: string | Buffer): string | Buffer | Promise<string | Buffer> {
    const { meter, protocol, model, counter } = this.parts
    const path = protocol.usageIn(event)
    if (path === undefined) return message
    const isOver = !meter.owed
    const settled = meter.settled(model, counter)
    return settled instanceof Promise
      ? settled.then((usage) => this.withCost(event, message, path, { usage, isOver }))
      : this.withCost(event, message, path, { usage: settled, isOver })
  }

  private withCost(
    event: JsonObject,
    message: string | Buffer,
    path: UsagePath,
    { usage, isOver }: { readonly usage: Usage; readonly isOver: boolean },
  ): string | Buffer {
    const { price, receipt, billable } = this.parts
    const reported = usageAt(event, path)
    const quota = cost(billable(usage), price) - this.told
    const bytes = Buffer.from(message)
    if (quota <= 0 && !(isOver && isObject(reported))) {
      if (isObject(reported)) this.report = reported
      return isObject(reported) ? likewise(message, withoutFiguresAt(bytes, path)) : message
    }
    this.told += Math.max(0, quota)
    const dollars = dollarsOf({ quota: Math.max(0, quota), quota_per_unit: print(price.quotaPerUnit) })
    const missing = reported === undefined || reported === null ? this.report : undefined
    this.report = undefined
    return likewise(message, withFiguresAt(bytes, path, { dollars, receipt }, JSON.stringify(missing ?? {})))
  }
}
