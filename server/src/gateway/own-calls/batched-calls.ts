import type {
  BatchedLines,
  ChooseLinePlace,
  LinePlace,
  PreparedLine,
  PricedAnswer,
} from '../../relay/batches/lines/batch-lines.ts'
import type { Relay } from '../../relay/relay.ts'
import type { Authentication } from '../auth/authentication.ts'
import { createAnswerCall, type RelayHandlerParts } from '../handlers/relay.ts'
import { evenIfClosed, unlimited } from './closed-keys.ts'
import type { CollectedAnswer } from './collecting-client.ts'
import { createOwnCalls, type OwnCall, type OwnCallParts } from './own-calls.ts'

/** A call that a provider's batch has as one of its lines. */
export type BatchedCall = Omit<OwnCall, 'client' | 'channel'>

/** Calls that are lines of batches which providers run: their requests now, their answers hours later. */
export interface BatchedCalls {
  /**
   * The request that a call would be at one account. `answer` instead, where the call is refused as any other of this key would be; undefined
   * where it cannot be a line of a batch.
   */
  prepare(
    call: BatchedCall,
    choose: ChooseLinePlace,
  ): Promise<{ readonly line: PreparedLine } | { readonly answer: CollectedAnswer } | undefined>
  /**
   * Reads a provider's answer to a call, prints it in the dialect of the call, and charges it under the call's id at this price of batches.
   * A key that has been closed meanwhile pays, too. `isRead` is false where its checks refuse the call by now, so that nothing was charged.
   */
  settle(
    call: BatchedCall,
    answer: PricedAnswer,
    place: LinePlace,
    mostBytes: number,
  ): Promise<{ readonly answer: CollectedAnswer; readonly isRead: boolean }>
  readonly headersFor: BatchedLines['headersFor']
}

export type BatchedCallParts = Omit<OwnCallParts, 'answer' | 'authentication'> &
  RelayHandlerParts & { readonly authentication: Authentication }

export const createBatchedCalls = (parts: BatchedCallParts, lines: BatchedLines): BatchedCalls => {
  const usual = unlimited(parts.authentication)
  const lenient = evenIfClosed(parts.authentication)

  const callsThrough = (answer: Relay['answer'], authentication: Authentication) => {
    const own = { ...parts, authentication }
    return createOwnCalls({ ...own, answer: createAnswerCall({ ...own, relay: { ...parts.relay, answer } }) })
  }

  return {
    async prepare(call, choose) {
      let line: PreparedLine | undefined
      const relay = lines.preparing(choose, (prepared) => {
        line = prepared
      })
      const answer = await callsThrough(relay, usual).collect(call, longestRefusal)
      if (line !== undefined) return { line }
      return answer.status === 0 ? undefined : { answer }
    },
    async settle(call, answer, place, mostBytes) {
      let isRead = false
      const relay = lines.answering(answer, place, () => {
        isRead = true
      })
      const own = { ...call, channel: place.channel.id }
      return { answer: await callsThrough(relay, lenient).collect(own, mostBytes), isRead }
    },
    headersFor: lines.headersFor,
  }
}

/** Bytes. */
const longestRefusal = 64 * 1024
