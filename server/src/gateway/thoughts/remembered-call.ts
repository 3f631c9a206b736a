import type { ThoughtRules } from '../../dialects/thought-rules.ts'
import type { Client, RelayCall } from '../../relay/call.ts'
import { scopeOf } from '../../relay/reader.ts'
import { RecordingClient } from '../stored/recording-client.ts'
import type { ThoughtMemory } from './thought-memory.ts'

/** Long thoughts arrive in many small events, which are not stored. */
const mostBytes = 64 * 1024 * 1024

/** Thoughts belong to a session, or to all calls of a scope that belong to none. */
const ownerOf = ({ session, caller }: RelayCall): string => session?.id ?? `user ${scopeOf(caller)}`

const rulesOf = ({ dialect, body, asIs }: RelayCall): ThoughtRules | undefined =>
  asIs !== true && dialect?.thoughts?.mayCall(body) === true ? dialect.thoughts : undefined

/** The call with the thoughts that its client left out. */
export const withRecalled = (call: RelayCall, memory: ThoughtMemory): RelayCall | Promise<RelayCall> => {
  const turns = rulesOf(call)?.missing(call.body) ?? []
  if (turns.length === 0) return call
  const recalled = memory.recall(ownerOf(call), turns)
  const found = (thoughts: Awaited<typeof recalled>): RelayCall =>
    thoughts.size === 0 ? call : { ...call, recalled: thoughts }
  return recalled instanceof Promise ? recalled.then(found) : found(recalled)
}

/** The client, through which the thoughts of the answer are remembered before it has read its end. */
export const rememberingClient = (client: Client, call: RelayCall, memory: ThoughtMemory): Client => {
  const rules = rulesOf(call)
  return rules === undefined
    ? client
    : new RecordingClient(client, rules.collect(), {
        ending(thoughts) {
          if (thoughts !== undefined) memory.remember(ownerOf(call), thoughts)
        },
        most: mostBytes,
      })
}
