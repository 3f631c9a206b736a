import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { AppError } from '../../lib/app-error.ts'
import type { CallPlan } from '../../relay/plan/call-plan.ts'
import { type Authentication, authenticate } from '../auth/authentication.ts'
import type { GatewayPorts } from '../ports.ts'
import type { ArrivedRequest } from '../request-context.ts'
import type { CallPlans } from './call-plans.ts'

/** A plan, or the code of the error with which such a call is refused. */
type PlanOrCode = CallPlan | string

/** The plan with which a key's call for a name begins now, and the same compiled from nothing: they never differ. */
export interface CheckedPlan {
  readonly used: PlanOrCode
  readonly fresh: PlanOrCode
}

export type CheckPlan = (key: string, name: string) => Promise<CheckedPlan>

interface PlanCheckParts extends Pick<GatewayPorts, 'callers' | 'groups'> {
  readonly authentication: Pick<Authentication, 'callerOf'>
  readonly plans: CallPlans
  readonly clock: () => number
}

const planOrCode = (make: () => CallPlan | undefined): PlanOrCode => {
  try {
    return make() ?? 'refused'
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

/** Compares the plans that are kept with what they were made from. `key` is the bare key, without `sk-`. */
export const createPlanCheck =
  ({ callers, groups, authentication, plans, clock }: PlanCheckParts): CheckPlan =>
  async (key, name) => {
    const token = await callers.byKey(key)
    const [now, ip, sent] = [clock(), '', { key, channel: undefined }]
    const context: ArrivedRequest = {
      id: '',
      startedAt: now,
      request: new IncomingMessage(new Socket()),
      path: '',
      query: '',
      ip,
      caller: undefined,
      model: '',
      stream: false,
    }
    const planned = (): CallPlan | undefined => {
      const caller = authentication.callerOf(context, sent)
      return caller instanceof Promise ? undefined : plans.of(caller, name, now)
    }
    const compiled = (): CallPlan => plans.compiled(authenticate({ token, sent, ip, now, groups }), name, now)
    const used = planOrCode(planned)
    const fresh = planOrCode(compiled)
    // Admission says why a call has no plan.
    return { used, fresh: used === 'refused' && typeof fresh === 'string' ? used : fresh }
  }
