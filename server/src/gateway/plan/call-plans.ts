import { AppError } from '../../lib/app-error.ts'
import type { CallPlan } from '../../relay/plan/call-plan.ts'
import type { SourceVersion } from '../../relay/plan/source-version.ts'
import type { Caller } from '../../relay/ports.ts'
import { type CallPlanParts, compilePlan } from './compile-plan.ts'

export interface CallPlansParts extends CallPlanParts {
  readonly sources: SourceVersion
}

/** The plans of calls, each compiled at the first call after a change. */
export interface CallPlans {
  /**
   * The plan of a key's calls for a name at a moment (milliseconds since 1970); undefined where the caller may not call the model, and for
   * callers that are made anew for each call.
   */
  of(caller: Caller, name: string, now: number): CallPlan | undefined
  /** The same, compiled from nothing. Throws AppError where the caller may not call the model. */
  compiled(caller: Caller, name: string, now: number): CallPlan
}

/** Plans of one caller that were compiled from the same sources. */
interface PlansOfCaller {
  version: number
  readonly plans: Map<string, CallPlan>
}

/** More names than this one key rarely uses; the plans that were made first go first. */
const mostNames = 64

/** False from the moment on at which a price or a model that the plan names may have ended. */
const lasts = ({ until }: CallPlan, now: number): boolean =>
  // Prices go by the clock of the machine, whatever clock the calls have.
  now < until && Date.now() < until

/** undefined where the caller may not call the model: admission says why. */
const allowedPlan = (...asked: Parameters<typeof compilePlan>): CallPlan | undefined => {
  try {
    return compilePlan(...asked)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

export const createCallPlans = ({ sources, ...parts }: CallPlansParts): CallPlans => {
  const known = new WeakMap<Caller, PlansOfCaller>()

  const compiled = (caller: Caller, name: string, now: number): CallPlan | undefined => {
    const version = sources.now
    const plan = allowedPlan(caller, name, now, parts)
    if (plan === undefined) return undefined
    const before = known.get(caller)
    const ofCaller = before?.version === version ? before : { version, plans: new Map<string, CallPlan>() }
    if (ofCaller !== before) known.set(caller, ofCaller)
    if (ofCaller.plans.size >= mostNames)
      for (const first of ofCaller.plans.keys()) {
        ofCaller.plans.delete(first)
        break
      }
    ofCaller.plans.set(name, plan)
    return plan
  }

  return {
    of(caller, name, now) {
      if (caller.tokenId === 0 || caller.forcedChannel !== undefined) return undefined
      const ofCaller = known.get(caller)
      const plan = ofCaller !== undefined && ofCaller.version === sources.now ? ofCaller.plans.get(name) : undefined
      if (plan !== undefined && (plan.until === Number.POSITIVE_INFINITY || lasts(plan, now))) return plan
      return compiled(caller, name, now)
    },
    compiled: (caller, name, now) => compilePlan(caller, name, now, parts),
  }
}
