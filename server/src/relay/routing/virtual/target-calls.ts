import type { Price } from '../../../billing/price.ts'
import { InexpressibleError } from '../../../dialects/conversation/gaps/inexpressible.ts'
import type { RelayCall } from '../../call.ts'
import { dearestOf, priceFor } from '../../exchange/call-price.ts'
import type { Outcome } from '../../exchange/exchange.ts'
import type { Channels, Prices } from '../../ports.ts'
import type { AttemptLog } from '../../records/attempt-log.ts'
import { canAnswerTo } from '../channel-fence.ts'
import { ChannelsFull } from '../channel-gate.ts'
import { lacksChannel } from '../no-channel.ts'
import { targetOrder } from './route-of-call.ts'
import { type PricedTargets, pricedTargets } from './target-prices.ts'
import { targetsAt, tryTargets } from './try-targets.ts'
import type { CallRoute, RelayTarget } from './virtual-model.ts'

export interface TargetCallParts {
  readonly channels: Pick<Channels, 'snapshot'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** In [0, 1). */
  readonly random: () => number
}

/** A call to a virtual model: its targets, their prices, and one call after the other to them. */
export class TargetCalls {
  private readonly route: CallRoute
  private readonly parts: TargetCallParts
  /** In the order in which they are tried. */
  private targets: readonly RelayTarget[] = []
  /** Set where a call has the price of the target that answers. */
  private prices: PricedTargets | undefined
  private target: RelayTarget | undefined

  constructor(route: CallRoute, parts: TargetCallParts) {
    this.route = route
    this.parts = parts
  }

  /** The dearest price at which the call may be answered. Throws AppError where no target can be asked. */
  price(prices: Prices, call: RelayCall): Price {
    const { route, parts } = this
    this.targets = targetOrder(route, { now: parts.clock(), random: parts.random, hash: call.session?.hash })
    if (this.targets.length === 0) throw lacksChannel(call.caller.group, call.model)
    if (route.virtual.ownPrice) return priceFor(prices, call)
    this.prices = pricedTargets(prices, call, this.targets)
    return dearestOf(call, this.prices.values())
  }

  /** Price at the current target; undefined where the virtual model has one of its own. */
  get priceHere(): Price | undefined {
    return this.target && this.prices?.get(this.target)
  }

  /** Tries the targets in turn. A call that continues a stored response goes only to its channel. */
  async run(
    call: RelayCall,
    log: AttemptLog,
    ask: (call: RelayCall) => Promise<Outcome | undefined>,
  ): Promise<Outcome | undefined> {
    const { route, parts } = this
    const priced = this.targets.filter((target) => this.prices?.has(target) ?? true)
    let unasked: ChannelsFull | InexpressibleError | undefined
    const answered = await tryTargets(route, targetsAt(call.place, priced), async (target, later) => {
      this.target = target
      log.route = { virtual: route.virtual.id, rule: route.rule, target: target.model }
      const passesOnDeclined =
        route.virtual.fallsBackOn.has('content') &&
        later.some(({ model }) => canAnswerTo(call.caller, model, parts.channels.snapshot()))
      try {
        const outcome = await ask({ ...call, target, passesOnDeclined })
        return { outcome, refusal: outcome?.kind === 'refused' ? outcome.refusal : undefined }
      } catch (error) {
        // The next target may have channels with room, or that can express the call.
        if (!(error instanceof ChannelsFull || error instanceof InexpressibleError)) throw error
        unasked ??= error
        return { outcome: undefined, refusal: undefined }
      }
    })
    if (answered === undefined && unasked !== undefined) throw unasked
    return answered
  }
}
