import { AppError } from '../../lib/app-error.ts'
import type { CallPlan, DirectPlan, PlanKind } from '../../relay/plan/call-plan.ts'
import type { SourceVersion } from '../../relay/plan/source-version.ts'
import type { Caller } from '../../relay/ports.ts'
import { type AskedName, type CallPlanParts, compileDirect, compilePlan } from './compile-plan.ts'
import { lasts } from './plan-rules.ts'

export interface CallPlansParts extends CallPlanParts {
  readonly sources: SourceVersion
}

/** The plans of calls, each compiled at the first call after a change. */
export interface CallPlans {
  /**
   * The plan of a key's HTTP calls for a name at a moment (milliseconds since 1970), for admission in one step. undefined where the caller
   * may not call the model, is held to a channel or has no key: such calls go the general way, with the plan of `admitted`.
   */
  of(caller: Caller, name: string, now: number): CallPlan | undefined
  /**
   * The plan of a kind of call. Notes the model in the context, before it is checked. Throws AppError where the caller may not call it.
   */
  admitted(context: CallMoment, caller: Caller, asked: AskedName): CallPlan
  /** The plan of a key's direct calls to a channel. Throws AppError('passthrough_denied'). */
  direct(caller: Caller, channel: number): DirectPlan
}

/** The moment of a call (milliseconds since 1970), and the model in its record. */
export interface CallMoment {
  readonly startedAt: number
  model: string
}

/** Plans of one caller that were compiled from the same sources. */
interface PlansOfCaller {
  readonly version: number
  readonly relay: Map<string, CallPlan>
  /** Of other kinds than `relay`; undefined for nearly all callers. */
  others: Map<PlanKind, Map<string, CallPlan>> | undefined
  direct: Map<number, DirectPlan> | undefined
}

/** More names than this one key rarely uses; the plans that were made first go first. */
const mostNames = 64

const keep = <Name, Plan>(plans: Map<Name, Plan>, name: Name, plan: Plan): Plan => {
  if (plans.size >= mostNames)
    for (const first of plans.keys()) {
      plans.delete(first)
      break
    }
  plans.set(name, plan)
  return plan
}

export const createCallPlans = ({ sources, ...parts }: CallPlansParts): CallPlans => {
  const known = new WeakMap<Caller, PlansOfCaller>()

  const ofCaller = (caller: Caller): PlansOfCaller => {
    const before = known.get(caller)
    const { now: version } = sources
    if (before?.version === version) return before
    const plans: PlansOfCaller = { version, relay: new Map(), others: undefined, direct: undefined }
    known.set(caller, plans)
    return plans
  }

  const plansOf = (known: PlansOfCaller, kind: PlanKind): Map<string, CallPlan> => {
    if (kind === 'relay') return known.relay
    known.others ??= new Map()
    const plans = known.others.get(kind) ?? new Map<string, CallPlan>()
    known.others.set(kind, plans)
    return plans
  }

  const admitted: CallPlans['admitted'] = (context, caller, asked) => {
    const plans = plansOf(ofCaller(caller), asked.kind)
    const plan = plans.get(asked.name)
    if (plan === undefined || !lasts(plan, context.startedAt))
      return keep(plans, asked.name, compilePlan(caller, asked, context, parts))
    context.model = plan.model
    return plan
  }

  /** undefined where the caller may not call the model. */
  const compiled = (caller: Caller, name: string, now: number): CallPlan | undefined => {
    try {
      return admitted({ startedAt: now, model: '' }, caller, { kind: 'relay', name })
    } catch (error) {
      if (error instanceof AppError) return undefined
      throw error
    }
  }

  return {
    of(caller, name, now) {
      if (caller.tokenId === 0 || caller.forcedChannel !== undefined) return undefined
      const plans = known.get(caller)
      const plan = plans !== undefined && plans.version === sources.now ? plans.relay.get(name) : undefined
      if (plan !== undefined && (plan.until === Number.POSITIVE_INFINITY || lasts(plan, now))) return plan
      return compiled(caller, name, now)
    },
    admitted,
    direct(caller, channel) {
      const plans = ofCaller(caller)
      plans.direct ??= new Map()
      return plans.direct.get(channel) ?? keep(plans.direct, channel, compileDirect(caller, channel, parts))
    },
  }
}
