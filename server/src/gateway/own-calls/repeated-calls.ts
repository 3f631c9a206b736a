import { createAnswerCall, type RelayHandlerParts } from '../handlers/relay.ts'
import { evenIfClosed } from './closed-keys.ts'
import { createOwnCalls, type OwnCall, type OwnCallParts, type OwnCalls } from './own-calls.ts'

export type RepeatedCallParts = Omit<OwnCallParts, 'answer' | 'authentication'> &
  RelayHandlerParts & {
    /** The relay for calls that are charged already. */
    readonly chargedRelay: RelayHandlerParts['relay']
    readonly chargedAmong: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  }

/**
 * The same calls, of which a repeat is made whatever is left of its key, balances and limits once its id is charged: its owner has paid for
 * an answer that a process which died did not deliver. Its second charge changes nothing.
 */
export const withRepeats = (usual: OwnCalls, parts: RepeatedCallParts): OwnCalls => {
  const own = { ...parts, authentication: evenIfClosed(parts.authentication), relay: parts.chargedRelay }
  const charged = createOwnCalls({ ...own, answer: createAnswerCall(own) })

  const callsFor = async ({ id, isRepeat = false }: Pick<OwnCall, 'id' | 'isRepeat'>): Promise<OwnCalls> =>
    isRepeat && (await parts.chargedAmong([id])).has(id) ? charged : usual

  return {
    ...usual,
    make: async (call) => (await callsFor(call)).make(call),
    collect: async (call, mostBytes) => (await callsFor(call)).collect(call, mostBytes),
  }
}
