import { type CallLimits, type LimitEntry, LimitRefusal } from '../../limits/call-limits.ts'
import type { Holds } from '../ports.ts'
import type { RelayParts } from '../relayed-call-parts.ts'

const nothingReserved = { input: 0, output: 0, money: 0 } as const

/** An entry in no limit. */
const uncounted: LimitEntry = { gauges: () => ({ at: 0 }), settle: () => {} }

const lenientHolds = (holds: Holds): Holds => ({
  hold: (request) => holds.hold({ ...request, more: true, spare: -Number.MAX_SAFE_INTEGER }),
})

/** Counts calls even above limits. */
const lenientLimits = (limits: CallLimits): CallLimits => {
  const counted = async (entered: LimitEntry | undefined | Promise<LimitEntry>): Promise<LimitEntry> => {
    try {
      return (await entered) ?? uncounted
    } catch (error) {
      if (error instanceof LimitRefusal) return uncounted
      throw error
    }
  }
  const entering = (enter: CallLimits['enter']): CallLimits['enter'] => {
    return (call) => counted(Promise.resolve().then(() => enter(call, nothingReserved) ?? uncounted))
  }
  return {
    get all() {
      return limits.all
    },
    plannedFor: (subjects) => limits.plannedFor(subjects),
    enter: entering((call, need) => limits.enter(call, need)),
    enterNamed: entering((call, need) => limits.enterNamed(call, need)),
    addModels: (call, uses) => limits.addModels(call, uses),
  }
}

/** The parts for calls that are paid for whatever is left of balances and limits: work that was done, or that was charged before. */
export const whateverIsLeft = ({ holds, callLimits }: RelayParts): Pick<RelayParts, 'holds' | 'callLimits'> => ({
  holds: lenientHolds(holds),
  ...(callLimits && { callLimits: lenientLimits(callLimits) }),
})
