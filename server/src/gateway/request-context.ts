import type { IncomingMessage } from 'node:http'
import type { MemoryShare } from '../lib/memory/reserved-memory.ts'
import type { Client } from '../relay/call.ts'
import type { CallPlan } from '../relay/plan/call-plan.ts'
import type { Caller } from '../relay/ports.ts'
import type { RequestTrace } from './ports.ts'
import { endUserOfHeader } from './request/end-user.ts'
import type { Route } from './routes.ts'

/** One request on its way to its handler. What becomes known on the way is for the record if it is refused. */
export interface RequestContext {
  readonly id: string
  readonly startedAt: number
  readonly request: IncomingMessage
  readonly client: Client
  readonly path: string
  readonly query: string
  readonly ip: string
  /** What made the request, see `programOf`. */
  readonly program?: string | undefined
  readonly route: Route
  caller: Caller | undefined
  model: string
  stream: boolean
  /** Names and values in turn that the head of the answer gets beside its own; absent where there is no such head. */
  readonly answerHeaders?: string[]
  /** What the body takes of the memory that callers may fill, until the call is over; undefined before its body is read. */
  bodyShare?: MemoryShare | undefined
  /** Follows the request; undefined for requests that nobody follows. */
  readonly requestTrace?: RequestTrace | undefined
}

/** What a call takes over from its request and its plan. Calls with a body are made without it (`admit`): each would pay for another object. */
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

/** What is known of a request before it has a handler, as for a WebSocket. */
export type ArrivedRequest = Omit<RequestContext, 'client' | 'route'>
