import { ownMember } from '@tollgate/contract/own-member'
import { isObject } from '../../dialects/conversation/json.ts'
import type { CostPlace, UsagePath } from '../../dialects/cost/cost-place.ts'
import { editMembers, membersOf } from '../../lib/json/json-edit.ts'
import type { AnswerCost, CostFigures } from './answer-cost.ts'

/**
 * Members in which providers state their own prices: cost (OpenRouter, Perplexity, another Tollgate), its parts (OpenRouter), ticks
 * (xAI), and the receipt of another Tollgate. They would contradict the gateway's own cost.
 */
const statedMembers = ['cost', 'cost_details', 'cost_in_usd_ticks', 'is_byok', 'receipt'] as const

const withoutStated: Readonly<Record<string, undefined>> = Object.fromEntries(
  statedMembers.map((name) => [name, undefined]),
)

const openBrace = '{'.charCodeAt(0)

/** The usage with the cost of the call and without the stated members; `missing` creates one where there is none. */
const withFigures = (usage: Buffer | undefined, { dollars: cost, receipt }: CostFigures, missing: () => string) => {
  const came = usage?.[0] === openBrace ? usage : Buffer.from(missing())
  // A number of JSON has the digits that it is written with: no float comes between. Clients of OpenRouter read a number here.
  return editMembers(came, { ...withoutStated, cost, receipt: receipt && JSON.stringify(receipt) }).toString()
}

/** The usage with the cost; one is created where there is none. */
const withCost = (usage: Buffer | undefined, answerCost: AnswerCost, place: CostPlace): string =>
  withFigures(usage, answerCost, () => JSON.stringify(place.usage(answerCost.usage)))

/** Edits the value at the end of a path; missing objects on the way are created. Of repeated members the last counts, as for parsers. */
const editedAt = (json: Buffer, path: UsagePath, edit: (value: Buffer | undefined) => string): Buffer => {
  const [name = '', ...rest] = path
  const member = membersOf(json).findLast((each) => each.name === name)
  const value = member === undefined ? undefined : json.subarray(member.valueStart, member.valueEnd)
  if (rest.length === 0) return editMembers(json, { [name]: edit(value) })
  const inner = value?.[0] === openBrace ? value : Buffer.from('{}')
  return editMembers(json, { [name]: editedAt(inner, rest, edit).toString() })
}

/** A JSON object with the cost in its usage; all other bytes stay. */
export const withCostAt = (json: Buffer, path: UsagePath, answerCost: AnswerCost, place: CostPlace): Buffer =>
  editedAt(json, path, (usage) => withCost(usage, answerCost, place))

/** A usage of its own, for an answer that has no place for one. */
export const usageText = (answerCost: AnswerCost, place: CostPlace): string => withCost(undefined, answerCost, place)

/** JSON, an object, with a cost in the usage at a path; `missing` is that usage, as JSON, where there is none. */
export const withFiguresAt = (json: Buffer, path: UsagePath, figures: CostFigures, missing: string): Buffer =>
  editedAt(json, path, (usage) => withFigures(usage, figures, () => missing))

/** JSON without what a provider states about costs in the usage at a path, which must be an object there. */
export const withoutFiguresAt = (json: Buffer, path: UsagePath): Buffer =>
  editedAt(json, path, (value) => editMembers(value ?? Buffer.from('{}'), withoutStated).toString())

/** The member of an event at a path. */
export const usageAt = (event: unknown, path: UsagePath): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? ownMember(value, name) : undefined), event)

/** The same JSON without what a provider states about costs; the same buffer where it states nothing. */
export const withoutStatedCost = (json: Buffer, event: unknown, place: CostPlace): Buffer => {
  let edited = json
  for (const path of place.all) {
    const usage = usageAt(event, path)
    if (!isObject(usage) || !statedMembers.some((name) => Object.hasOwn(usage, name))) continue
    edited = withoutFiguresAt(edited, path)
  }
  return edited
}
