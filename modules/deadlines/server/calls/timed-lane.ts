import { cost } from '#server/billing/cost.ts'
import type { Price } from '#server/billing/price.ts'
import { InexpressibleError } from '#server/dialects/conversation/gaps/inexpressible.ts'
import type { Client, RelayCall } from '#server/relay/call.ts'
import type { CallLane, LaneTry } from '#server/relay/lanes/call-lane.ts'
import type { LaneTimes } from '../decision/situation.ts'
import { inFlexTier } from './flex-request.ts'
import { LeavingClient } from './leaving-client.ts'

/** Facts of one call with a deadline. Moments are milliseconds since 1970. */
export interface TimedFacts {
  readonly deadline: number
  readonly leavesTime: boolean
  /** When its flex request is given up; undefined where none is made. */
  readonly flexUntil: number | undefined
  /** True where its answer comes from a batch of the provider, whose times are noted as a whole. */
  readonly isBatched: boolean
  /** True where a refusal of the flex tier ends the call, because there is time to try again. */
  readonly endsRefused: boolean
  /** The standard price, where it is not that of the answer: the call was put off until the price has changed. */
  readonly arrivalPrice: Price | undefined
  readonly times: LaneTimes
  readonly clock: () => number
}

/** The end of a flex request; `none` where the call is to be made at once. */
type FlexEnd<Outcome> = { readonly kind: 'none' } | { readonly kind: 'over'; readonly outcome: Outcome | undefined }
const none = { kind: 'none' } as const

/** Makes the call in the flex tier, gives that up in time, and makes it again at once where that did not answer. */
export const createTimedLane = (facts: TimedFacts): CallLane<RelayCall> => {
  const { deadline, flexUntil, isBatched, endsRefused, arrivalPrice, times, clock } = facts

  const inFlex = async <Outcome extends { readonly kind: string }>(
    call: RelayCall,
    client: Client,
    tries: LaneTry<RelayCall, Outcome>,
    { from, until }: { readonly from: number; readonly until: number },
  ): Promise<FlexEnd<Outcome>> => {
    const leaving = new LeavingClient(client)
    const timer = setTimeout(() => {
      // An answer that has begun is not made twice.
      if (!tries.hasContent) leaving.leave()
    }, until - from)
    try {
      const outcome = await tries.ask(inFlexTier(call), leaving, { once: true })
      if (outcome?.kind === 'answered') times.flex.note(clock() - from)
      if (leaving.hasLeft && outcome?.kind === 'client_gone') {
        times.flex.note(Number.POSITIVE_INFINITY)
        return none
      }
      const isRefused = outcome === undefined || outcome.kind === 'refused'
      return isRefused && !endsRefused ? none : { kind: 'over', outcome }
    } catch (error) {
      // The provider cannot express the tier, or not the rest either: the call at once says which.
      if (error instanceof InexpressibleError) return none
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    leavesTime: facts.leavesTime,

    async run(call, client, tries) {
      if (isBatched) return tries.ask(call, client, { once: false })
      const begun = clock()
      if (flexUntil !== undefined && flexUntil > begun) {
        const end = await inFlex(call, client, tries, { from: begun, until: flexUntil })
        if (end.kind === 'over') return end.outcome
      }
      const from = clock()
      const outcome = await tries.ask(call, client, { once: false })
      if (outcome?.kind === 'answered') times.standard.note(clock() - from)
      return outcome
    },

    charged({ usage, quota, standardOf }) {
      const { tier, ...usual } = usage
      const standard = arrivalPrice === undefined || quota === 0 ? standardOf(usual) : cost(usual, arrivalPrice)
      const saved = standard - quota
      const untiered = saved > 0 ? 'off_peak' : 'standard'
      return {
        lane: tier === 'flex' || tier === 'batch' ? tier : untiered,
        deadline: Math.floor(deadline / 1000),
        standard,
        saved,
      }
    },
  }
}
