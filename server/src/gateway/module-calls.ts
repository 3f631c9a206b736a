import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { OfferedCall } from '@tollgate/contract'
import type { ErrorFormat } from '../dialects/errors.ts'
import type { Client } from '../relay/call.ts'
import type { CallFailure } from '../relay/failure.ts'
import type { CallPlan } from '../relay/plan/call-plan.ts'
import type { Caller, RelayChannel } from '../relay/ports.ts'

/** The request of a call that a module answers. */
export interface ModuleCallContext {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly request: IncomingMessage
  readonly client: Client
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  readonly ip: string
  /** Name of the client program; absent where it sends none. */
  readonly program?: string | undefined
}

export interface ModuleCall {
  readonly context: ModuleCallContext
  readonly caller: Caller
  /** Matches of the groups of the path's expression, decoded. */
  readonly params: readonly string[]
  /**
   * The whole body, decompressed. One that is not small is taken only from a caller who can pay for a call. Throws AppError:
   * `body_too_large`, `bodies_full`, `invalid_request_body`, `client_gone`, or that the balance is used up. A module that streams
   * a body reads `context.request` instead.
   */
  body(): Promise<Buffer>
  /** `headers` are names and values in turn, beside those of the type and the length. */
  sendJson(status: number, body: string | Buffer, headers?: readonly string[]): void
  /** The plan of the key's calls for a model that is called outside of conversations. Throws AppError where it may not call it. */
  admitted(name: string): CallPlan
  /** Sends a failure that has its record, in the format and the language of the client. */
  sendFailure(failure: CallFailure): void
  /** The gateway's address under which the caller came, without a slash at its end; empty where that is not known. */
  address(): string
}

/** A call to the API for clients that a module answers: with an API key, the rate limit, and errors in its clients' dialect. */
export interface ModuleRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Matches the whole path, without its query and without a slash at its end. Routes of the gateway itself win. */
  readonly path: RegExp
  /** Format of its errors. */
  readonly errors: ErrorFormat
  /** The format where the clients of several APIs call one path; absent for `errors`. */
  readonly errorsFor?: (headers: IncomingHttpHeaders) => ErrorFormat
  /** True for calls of the console's own pages: a session stands in the place of a key. Absent for calls with a key. */
  readonly playground?: true
  /** The calls that the home page shows for this route; absent for none. */
  readonly offered?: readonly OfferedCall[]
  /** Answers `context.client`. An AppError that is thrown before the answer begins is sent in the format of `errors`. */
  answer(call: ModuleCall): Promise<void>
}

/** A direct call to a channel (`/p/{channel}/…`) from a key that may make it. Its caller is restricted to the channel. */
export interface DirectModuleCall extends ModuleCall {
  readonly channel: RelayChannel
  /** Path at the provider. */
  readonly path: string
}

/** Direct calls that a module answers in the place of the relay, because it bills what they begin at its end. */
export interface DirectCalls {
  /** True where the module answers calls of this kind to this channel. */
  takes(call: { readonly channel: RelayChannel; readonly method: string; readonly path: string }): boolean
  /** False where it has not answered: the call goes on like any other direct call. Throws AppError before the answer begins. */
  answer(call: DirectModuleCall): Promise<boolean>
}

export interface MatchedModuleRoute {
  readonly kind: 'module'
  readonly route: ModuleRoute
  readonly params: readonly string[]
  readonly errors: ErrorFormat
}

const decodedParam = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The first route of a list that takes a call; undefined for none. */
export const moduleRouteOf = (
  routes: readonly ModuleRoute[],
  method: string,
  path: string,
): MatchedModuleRoute | undefined => {
  for (const route of routes) {
    if (route.method !== method) continue
    const match = route.path.exec(path)
    if (match === null) continue
    return {
      kind: 'module',
      route,
      params: match.slice(1).map((text) => decodedParam(text ?? '')),
      errors: route.errors,
    }
  }
  return undefined
}
