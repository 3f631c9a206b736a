import type { JsonObject } from './conversation/json.ts'
import type { Collector } from './storage-rules.ts'

/** Thoughts before a turn's calls, as the client received them: members of the message. */
export interface TurnThoughts {
  /** Names the turn by the id, the name and the arguments of its first call. */
  readonly turn: string
  readonly members: JsonObject
}

/** Members of messages that clients left out, by turn. */
export type RecalledThoughts = ReadonlyMap<string, JsonObject>

/** Collects the thoughts of an answer; there are none of answers without calls. */
export type ThoughtCollector = Collector<TurnThoughts>

/** For dialects whose clients may return calls without the thoughts that led to them. */
export interface ThoughtRules {
  /** True if the calls of an answer may come back: the client has tools. */
  mayCall(body: JsonObject): boolean
  /** The latest turns with calls that came back without thoughts, or without what signs them; none for most requests. */
  missing(body: JsonObject): readonly string[]
  /** The request with recalled thoughts in their places. */
  restored(body: JsonObject, recalled: RecalledThoughts): JsonObject
  collect(): ThoughtCollector
}
