import type { JsonObject } from '../../dialects/conversation/json.ts'
import type { Caller } from '../../relay/ports.ts'
import type { StoredObject } from '../../relay/stored/ports.ts'
import type { RequestContext } from '../request-context.ts'
import type { StoredTurn } from './stored-turns.ts'

/** A Responses call whose answer is made later (platform.openai.com/docs/guides/background). */
export interface BackgroundCall {
  readonly context: Pick<RequestContext, 'id' | 'startedAt' | 'path' | 'query' | 'ip' | 'request'>
  readonly caller: Caller
  readonly turn: StoredTurn
  readonly model: string
}

/** Makes answers in the background, whatever provider makes them. */
export interface BackgroundCalls {
  /**
   * Stores a call that was admitted, and resolves with the response as it stands then: `queued`. Throws AppError: `too_many_requests`
   * for users with too many that wait, `database_unreachable`.
   */
  queue(call: BackgroundCall): Promise<JsonObject>
  /** Cancels a response that is not over, and resolves with it as it stands then; one that is over stays as it is. */
  cancel(response: StoredObject): Promise<JsonObject>
  /**
   * The events of a response that was asked for as a stream, after the one with this number (−1 for all), to its end; undefined in
   * between asks to keep the connection open. Throws where the process ends before the response does.
   */
  events(
    response: Pick<StoredObject, 'id' | 'owner'>,
    after: number,
    signal: AbortSignal,
  ): AsyncIterable<JsonObject | undefined>
}
