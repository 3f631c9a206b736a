import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { AppError } from '../../lib/app-error.ts'
import type { Client } from '../../relay/call.ts'
import { failureOf } from '../../relay/failure.ts'
import type { Caller } from '../../relay/ports.ts'
import { programOf } from '../../relay/programs/program-of.ts'
import type { Authentication } from '../auth/authentication.ts'
import type { ChosenLane } from '../deadlines/deadline-calls.ts'
import type { KeyById } from '../ports.ts'
import type { RequestContext } from '../request-context.ts'
import type { FailureSender } from '../response/send-failure.ts'
import type { Routes } from '../routes.ts'
import { type CollectedAnswer, CollectingClient } from './collecting-client.ts'

export interface OwnCall {
  /** Id of the request: a call with an id that is charged already is not charged again. */
  readonly id: string
  /** The key that pays, by its id. */
  readonly tokenId: number
  /** The only channel that may answer; absent for any. */
  readonly channel?: number
  /** A path of calls with one body and one answer, such as `/v1/messages`. */
  readonly path: string
  /** With its question mark; absent for none. */
  readonly query?: string
  /** By lower-case names; no key is needed. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Address from which the work was asked for: the key's list of addresses is checked against it. */
  readonly ip: string
  /** True where the rate limit has counted it: when its client asked for it, or at an earlier attempt. */
  readonly isCounted?: boolean
  /** True where another process may have made it before: it is made whatever is left of its key once it is charged. */
  readonly isRepeat?: boolean
  readonly client: Client
  /** How a call is made that has a deadline; absent for others. */
  readonly lane?: ChosenLane | undefined
}

/** An answer, and whether the rate limit has counted its call: another attempt is not counted again then. */
export interface OwnAnswer extends CollectedAnswer {
  readonly isCounted: boolean
}

/** Makes calls for the owners of keys, whose clients have left: lines of batches, answers in the background. */
export interface OwnCalls {
  /** True for paths of calls with one body and one answer. */
  takes(path: string): boolean
  /**
   * Makes one call with the same checks, price, hold, routing and charge as any other of this key. Its client gets the answer, or the
   * error in the dialect of the path. Resolves when the call has its record. Rejects where the path is none that `takes` accepts.
   */
  make(call: OwnCall): Promise<void>
  /** Makes one call and collects its answer, up to `mostBytes`. Rejects like `make`. */
  collect(call: Omit<OwnCall, 'client'>, mostBytes: number): Promise<OwnAnswer>
  /** Aborted when the process begins to end: nothing more should be begun then. */
  readonly ending: AbortSignal
}

export interface OwnCallParts {
  readonly authentication: Pick<Authentication, 'ofToken' | 'heldTo' | 'noteRefusal'>
  readonly failures: Pick<FailureSender, 'send' | 'afterRecord'>
  readonly routes: Pick<Routes, 'routeOf'>
  /** Absent where there are no keys. */
  readonly keyById?: KeyById | undefined
  /** Answers an authenticated call whose body has been read. */
  readonly answer: (context: RequestContext, caller: Caller, body: Buffer) => Promise<void>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Keeps the process from ending before a call is over. */
  readonly track: (call: Promise<void>, holder: RequestContext) => void
  readonly ending: AbortSignal
}

/** Requests of calls without a client have no connection; one that is never opened stands for it, since each costs more than the request. */
const noConnection = new Socket()

export const createOwnCalls = (parts: OwnCallParts): OwnCalls => {
  const { authentication, failures, routes, keyById } = parts

  const contextOf = (call: OwnCall): RequestContext => {
    const route = routes.routeOf('POST', call.path)
    if (route.kind !== 'relay' || route.playground)
      throw new AppError('invalid_url', { params: { method: 'POST', path: call.path } })
    const request = new IncomingMessage(noConnection)
    request.method = 'POST'
    Object.assign(request.headers, call.headers)
    return {
      id: call.id,
      startedAt: parts.clock(),
      request,
      client: call.client,
      answerHeaders: [],
      path: call.path,
      query: call.query ?? '',
      ip: call.ip,
      program: programOf(request.headers),
      route,
      caller: undefined,
      model: '',
      stream: false,
      isCounted: call.isCounted === true,
      ...(call.lane === undefined ? undefined : { lane: call.lane }),
    }
  }

  const answered = async (context: RequestContext, call: OwnCall): Promise<void> => {
    try {
      const caller = authentication.ofToken(context, await keyById?.(call.tokenId))
      const held = call.channel === undefined ? caller : authentication.heldTo(caller, call.channel)
      context.caller = held
      await parts.answer(context, held, call.body)
    } catch (thrown) {
      const error = thrown instanceof AppError ? thrown : new AppError('internal_error', { cause: thrown })
      const failure = failureOf(error)
      await authentication.noteRefusal(context, thrown, failure)
      failures.afterRecord(context, () => failures.send(context, failure))
    }
  }

  const made = async (call: OwnCall): Promise<RequestContext> => {
    const context = contextOf(call)
    const over = answered(context, call)
    parts.track(over, context)
    await over
    return context
  }

  return {
    takes(path) {
      const route = routes.routeOf('POST', path)
      return route.kind === 'relay' && !route.playground
    },
    async make(call) {
      await made(call)
    },
    async collect(call, mostBytes) {
      const client = new CollectingClient(mostBytes)
      const { isCounted = false } = await made({ ...call, client })
      return { ...client.answer(), isCounted }
    },
    ending: parts.ending,
  }
}
