import type { Usage } from '../../billing/usage.ts'
import { defined, type JsonObject, membersOf, numberIn, textIn } from '../conversation/json.ts'

/** Names of members, from the outermost, that lead to the usage. */
export type UsagePath = readonly string[]

/** Place of usage, and so of the cost, in the answers of a dialect. */
export interface CostPlace {
  readonly inAnswer: UsagePath
  /** In one of these texts at least every event that says the usage has a part. */
  readonly marks: readonly string[]
  /** In an event that may be the last one to say the usage; undefined in all others. */
  inEvent(event: JsonObject): UsagePath | undefined
  /** Everywhere that an event may say some usage. */
  readonly all: readonly UsagePath[]
  /** True for the event that ends a stream: one about the usage has to come before it. */
  isEnd(payload: string): boolean
  /** Usage in the dialect's fields. */
  usage(used: Usage): JsonObject
  /** An event that says the usage, JSON text, for a stream in which none does; `head` is the stream's first event. */
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
