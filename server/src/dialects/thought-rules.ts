import type { JsonObject } from './conversation/json.ts'
import type { Collector } from './storage-rules.ts'

/** What a client read of the thoughts before a turn's calls: members of the message, as they were sent. */
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
  /** Whether the calls of an answer may come back: the client has tools. */
  mayCall(body: JsonObject): boolean
  /** The latest turns with calls that came back without thoughts, or without what signs them; none for most requests. */
  missing(body: JsonObject): readonly string[]
  /** The request with recalled thoughts in their places. */
  restored(body: JsonObject, recalled: RecalledThoughts): JsonObject
  collect(): ThoughtCollector
}
