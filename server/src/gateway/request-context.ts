import type { IncomingMessage } from 'node:http'
import type { MemoryShare } from '../lib/memory/reserved-memory.ts'
import type { Client } from '../relay/call.ts'
import type { CallPlan } from '../relay/plan/call-plan.ts'
import type { Caller } from '../relay/ports.ts'
import type { ChosenLane } from './deadlines/deadline-calls.ts'
import type { RequestTrace } from './ports.ts'
import { endUserOfHeader } from './request/end-user.ts'
import type { Route } from './routes.ts'

/**
 * One request until its handler has answered. Caller, model and stream are filled in as they are read, so that a refused request is
 * logged with them.
 */
export interface RequestContext {
  readonly id: string
  readonly startedAt: number
  readonly request: IncomingMessage
  readonly client: Client
  readonly path: string
  readonly query: string
  readonly ip: string
  /** Name of the client program, see `programOf`. */
  readonly program?: string | undefined
  readonly route: Route
  caller: Caller | undefined
  model: string
  stream: boolean
  /** True once the rate limit has counted the request, which it does once; so from the beginning where it was counted before. */
  isCounted?: boolean
  /** Alternating names and values of headers that are added to the answer; absent where none may be added. */
  readonly answerHeaders?: string[]
  /** The body's share of the memory for requests, released when the call is over; undefined before the body is read. */
  bodyShare?: MemoryShare | undefined
  /** The lane of a call that a module makes by a deadline; absent for all others. */
  readonly lane?: ChosenLane | undefined
  /** Trace of the request; undefined where it is not traced. */
  readonly requestTrace?: RequestTrace | undefined
}

/** Fields of a call that come from its request and its plan. `admit` does not use it for calls with a body, which saves one object per call. */
export const callHead = (
  { id, startedAt, ip, program, request }: Pick<RequestContext, 'id' | 'startedAt' | 'ip' | 'program' | 'request'>,
  caller: Caller,
  plan: CallPlan,
) => ({
  id,
  startedAt,
  ip,
  program,
  endUser: endUserOfHeader(request.headers),
  caller,
  model: plan.model,
  ...(plan.model === plan.name ? undefined : { askedName: plan.name }),
  plan,
})

/** A request before it has a handler, such as a WebSocket handshake. */
export type ArrivedRequest = Omit<RequestContext, 'client' | 'route'>
