import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { AppError } from '../../lib/app-error.ts'
import type { CallPlan, DirectPlan } from '../../relay/plan/call-plan.ts'
import type { Caller } from '../../relay/ports.ts'
import { type Authentication, authenticate } from '../auth/authentication.ts'
import { playgroundCaller } from '../auth/verified-callers.ts'
import type { CallerUser, GatewayPorts } from '../ports.ts'
import type { ArrivedRequest } from '../request-context.ts'
import type { CallPlans } from './call-plans.ts'
import { type AskedName, type CallPlanParts, compileDirect, compilePlan } from './compile-plan.ts'

/** A call: by a key, or by a signed-in user in the playground. */
export interface CheckedCaller {
  /** The bare key, without `sk-`. */
  readonly key?: string
  /** A channel that is forced with the key. */
  readonly channel?: number | undefined
  readonly user?: CallerUser
}

/** A plan, or the code of the error with which such a call is refused. */
type PlanOrCode<Plan> = Plan | string

/** The plan with which a call begins now, and the same compiled from nothing: they never differ. */
export interface CheckedPlan<Plan = CallPlan> {
  readonly used: PlanOrCode<Plan>
  readonly fresh: PlanOrCode<Plan>
}

export interface CheckPlan {
  /** Of calls for a model. */
  of(caller: CheckedCaller, asked: AskedName): Promise<CheckedPlan>
  /** Of direct calls to a channel. */
  direct(caller: CheckedCaller, channel: number): Promise<CheckedPlan<DirectPlan>>
}

/** Options and prices, which no version keeps. */
export type PresentSources = Pick<CallPlanParts, 'options' | 'prices'>

interface PlanCheckParts
  extends Pick<GatewayPorts, 'callers' | 'groups'>,
    Pick<CallPlanParts, 'channels' | 'callLimits' | 'deadlines'> {
  readonly authentication: Pick<Authentication, 'callerOf' | 'ofUser'>
  readonly plans: CallPlans
  readonly present: PresentSources
  readonly clock: () => number
}

const planOrCode = async <Plan>(make: () => Plan | Promise<Plan>): Promise<PlanOrCode<Plan>> => {
  try {
    return await make()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

const ip = ''

const contextAt = (now: number): ArrivedRequest => ({
  id: '',
  startedAt: now,
  request: new IncomingMessage(new Socket()),
  path: '',
  query: '',
  ip,
  caller: undefined,
  model: '',
  stream: false,
})

/** Compares cached plans with freshly compiled ones. */
export const createPlanCheck = (parts: PlanCheckParts): CheckPlan => {
  const { callers, groups, channels, callLimits, authentication, plans, present, clock, deadlines } = parts
  const sources = { ...present, channels, callLimits, deadlines }

  /** The caller with which calls begin. */
  const used = ({ key = '', channel, user }: CheckedCaller, context: ArrivedRequest): Caller | Promise<Caller> =>
    user === undefined
      ? authentication.callerOf(context, { key, channel: channel === undefined ? undefined : String(channel) })
      : authentication.ofUser(user, user.group)

  const fresh = async (
    { key = '', channel, user }: CheckedCaller,
    { startedAt: now }: ArrivedRequest,
  ): Promise<Caller> => {
    if (user !== undefined) return playgroundCaller(user, user.group)
    const sent = { key, channel: channel === undefined ? undefined : String(channel) }
    return authenticate({ token: await callers.byKey(key), sent, ip, now, groups })
  }

  return {
    async of(caller, asked) {
      const context = contextAt(clock())
      return {
        used: await planOrCode(async () => plans.admitted(context, await used(caller, context), asked)),
        fresh: await planOrCode(async () => compilePlan(await fresh(caller, context), asked, context, sources)),
      }
    },
    async direct(caller, channel) {
      const context = contextAt(clock())
      return {
        used: await planOrCode(async () => plans.direct(await used(caller, context), channel)),
        fresh: await planOrCode(async () => compileDirect(await fresh(caller, context), channel, sources)),
      }
    },
  }
}
