import type { Price } from '../../billing/price.ts'
import { reservation } from '../../billing/reserve.ts'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { billedTools } from '../../dialects/tools/provider-tools.ts'
import type { HoldAnswer } from '../ports.ts'

interface Ahead {
  isAhead(used: number, step: number): boolean
  keepAhead(used: number, step: number): Promise<Extract<HoldAnswer, { kind: 'refused' }> | undefined>
}

/** How far what is held for a session is ahead of what it used: the least of a call, and one call of each tool that it may use. */
export class SessionHolds {
  /** Quota units to hold before anything was used. */
  readonly first: number
  /** Of the session's own model and of those that are named beside it: the dearest counts. */
  private readonly prices: Price[]
  private readonly leastTokens: number

  constructor(settings: JsonObject, prices: readonly Price[], leastTokens: number) {
    this.prices = [...prices]
    this.leastTokens = leastTokens
    this.first = this.stepWith(settings)
  }

  /**
   * Holds what an event of the client adds: one call of each tool that its settings of the session or a response offer, and the prices of
   * models that it names. undefined where that is held already.
   */
  keepAhead(
    { offers, prices }: { readonly offers: readonly JsonObject[]; readonly prices: readonly Price[] },
    used: () => number,
    held: Ahead,
  ): ReturnType<Ahead['keepAhead']> | undefined {
    this.prices.push(...prices)
    const step = Math.max(...[{}, ...offers].map((offer) => this.stepWith(offer)))
    if (step <= this.first) return undefined
    const now = used()
    return held.isAhead(now, step) ? undefined : held.keepAhead(now, step)
  }

  private stepWith(settings: JsonObject): number {
    const least = { promptTokens: 0, outputTokens: 0, leastTokens: this.leastTokens, tools: billedTools(settings) }
    return Math.max(...this.prices.map((price) => reservation(least, price)))
  }
}
