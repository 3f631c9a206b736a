import type { Usage } from '../../billing/usage.ts'
import { defined, type JsonObject, membersOf, numberIn, textIn } from '../conversation/json.ts'

/** Names of members, from the outermost, that lead to the usage. */
export type UsagePath = readonly string[]

/** Place of usage, and so of the cost, in the answers of a dialect. */
export interface CostPlace {
  readonly inAnswer: UsagePath
  /** Texts, one of which occurs in every event with a usage. */
  readonly marks: readonly string[]
  /** The path in an event that may be the last with a usage; undefined in all others. */
  inEvent(event: JsonObject): UsagePath | undefined
  /** All paths at which events may have a usage. */
  readonly all: readonly UsagePath[]
  /** True for the event that ends a stream: one about the usage has to come before it. */
  isEnd(payload: string): boolean
  /** Usage in the dialect's fields. */
  usage(used: Usage): JsonObject
  /** An event with the usage, JSON text, for a stream without one; `head` is the stream's first event. */
  event(usage: string, head: JsonObject): string
}

/** Cost and receipt in a usage object; empty for nearly all. */
export const gatewayCostIn = (usage: unknown): JsonObject => {
  const { cost, receipt } = membersOf(usage)
  return defined({ cost: numberIn(cost), receipt: textIn(receipt) })
}

/** The same as a member of an answer that has no place for a usage. */
export const costIn = (name: string, usage: unknown): JsonObject => {
  const found = gatewayCostIn(usage)
  return found.cost === undefined ? {} : { [name]: found }
}
