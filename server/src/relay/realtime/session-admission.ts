import type { Price } from '../../billing/price.ts'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import type { CallLimits, CallNeed, LimitEntry } from '../../limits/call-limits.ts'
import type { RelayCall } from '../call.ts'
import { refusedHold } from '../holds/granted-hold.ts'
import type { RollingHold } from '../holds/rolling-hold.ts'
import type { RelayOptions } from '../ports.ts'
import type { SessionHolds } from './session-holds.ts'

const requestAlone: CallNeed = { input: 0, output: 0, money: 0 }
const nothing = { promptTokens: 0, completionTokens: 0, quota: 0 }

export interface AdmissionParts {
  readonly call: RelayCall
  readonly holds: SessionHolds
  readonly held: RollingHold
  readonly style: RelayOptions['amounts']
  readonly limits: Pick<CallLimits, 'enterNamed'> | undefined
  priceOf(model: string): Price
  /** Quota units so far. */
  used(): number
}

/** Additions of a client's event to a session. */
export interface Added {
  /** Settings that offer tools of the provider. */
  readonly offers: readonly JsonObject[]
  /** All models that the session has named so far; refused ones are removed. */
  readonly models: Set<string>
}

/** Admits additions to a running session as if they had been requested at its beginning: holds for tools, and holds and limits for named models. */
export class SessionAdmission {
  private readonly parts: AdmissionParts
  private readonly counted: Set<string>
  private readonly entries: LimitEntry[] = []

  constructor(parts: AdmissionParts) {
    this.parts = parts
    this.counted = new Set([parts.call.model, ...(parts.call.named ?? [])])
  }

  /** Error for a forbidden addition; undefined where nothing has to be checked, as nearly always. Does not reject. */
  admit({ offers, models }: Added): Promise<AppError | undefined> | undefined {
    const named = models.size > this.counted.size ? [...models].filter((model) => !this.counted.has(model)) : []
    if (offers.length === 0 && named.length === 0) return undefined
    const { holds, held, used, style } = this.parts
    if (named.length > 0)
      return this.admitNamed(offers, named).then((error) => {
        if (error !== undefined) for (const model of named) models.delete(model)
        return error
      })
    return holds
      .keepAhead({ offers, prices: [] }, used, held)
      ?.then((refused) => refused && refusedHold(refused, style))
  }

  /** The session is over. */
  close(): void {
    for (const entry of this.entries.splice(0)) entry.settle({ ...nothing, byModel: { own: nothing, others: [] } })
  }

  private async admitNamed(offers: Added['offers'], named: readonly string[]): Promise<AppError | undefined> {
    const { holds, held, used, priceOf, style, limits, call } = this.parts
    try {
      const refused = await holds.keepAhead({ offers, prices: named.map(priceOf) }, used, held)
      if (refused !== undefined) return refusedHold(refused, style)
      const entry = named.length === 0 ? undefined : await limits?.enterNamed({ ...call, named }, requestAlone)
      if (entry !== undefined) this.entries.push(entry)
      for (const model of named) this.counted.add(model)
      return undefined
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  }
}
