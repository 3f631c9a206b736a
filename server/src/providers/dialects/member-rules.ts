import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, listOf, textOf } from '../../dialects/conversation/json.ts'
import type { HostFacts } from '../../dialects/facts/hosts.ts'
import type { ModelFacts, RefusedMembers } from '../../dialects/facts/model-facts.ts'
import { isForeign } from '../../dialects/facts/models.ts'
import { openaiMembers } from '../../dialects/facts/openai-members.ts'
import { thinksIn } from '../../dialects/facts/thinking-switch.ts'
import type { OutgoingRequest } from '../provider.ts'
import { prefixMark } from './turn-rules.ts'

/**
 * Members of chat completions that a host does not take: null members, which mean that nothing is set, members that a strict host
 * refuses, and reasoning that the history lacks. Nothing is written for a body that is as the host wants it.
 */

type Changes = Record<string, unknown>

export interface MemberChanges {
  readonly members: Changes
  readonly messages: ReadonlyMap<number, JsonObject>
  readonly unsupported: readonly string[]
}

/** Stands in for unknown reasoning: DeepSeek refuses tool calls without any (api-docs.deepseek.com/guides/thinking_mode). */
const noThought = ' '

const takesNulls = (host: HostFacts, family: ModelFacts | undefined): boolean =>
  host.nulls !== undefined && !isForeign(family)

/** Names of members that are null. `content` is null where a message has none. */
const nullsIn = (members: JsonObject): string[] => {
  const names: string[] = []
  for (const name in members) if (ownMember(members, name) === null && name !== 'content') names.push(name)
  return names
}

const removing = (names: readonly string[]): Changes => Object.fromEntries(names.map((name) => [name, undefined]))

/** Names of null members that the maker of the API does not have, which it refuses. */
const foreignNullsIn = (body: JsonObject, path: string): string[] => {
  const own = openaiMembers(path)
  return own === undefined ? [] : nullsIn(body).filter((name) => !own.has(name))
}

/** Null members of the request that its host refuses; for calls that are no chat completions as well. */
export const withoutNulls = (
  { body, path }: OutgoingRequest,
  host: HostFacts,
  family: ModelFacts | undefined,
): Changes => {
  if (!takesNulls(host, family)) return removing(nullsIn(body))
  return host.nulls === 'of OpenAI' ? removing(foreignNullsIn(body, path)) : {}
}

const plainTool = (tool: unknown): unknown => {
  if (!isObject(tool)) return tool
  const { function: called } = tool
  const outer = nullsIn(tool)
  const inner = isObject(called) ? nullsIn(called) : []
  if (outer.length + inner.length === 0) return tool
  const rest = Object.fromEntries(Object.entries(tool).filter(([name]) => !outer.includes(name)))
  return isObject(called)
    ? { ...rest, function: Object.fromEntries(Object.entries(called).filter(([name]) => !inner.includes(name))) }
    : rest
}

/** Tools without null members; undefined where they have none. */
const plainTools = (tools: unknown): readonly unknown[] | undefined => {
  const offered = listOf(tools)
  const plain = offered.map(plainTool)
  return plain.some((tool, place) => tool !== offered[place]) ? plain : undefined
}

/** A refused member is reported if it had an effect. */
const isAsking = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)

const withoutRefused = (body: JsonObject, refused: RefusedMembers, changes: Changes, lost: Set<string>): void => {
  for (const name in body) {
    if (!refused.request.has(name)) continue
    Object.assign(changes, { [name]: undefined })
    if (isAsking(ownMember(body, name))) lost.add(name)
  }
  for (const [name, other] of Object.entries(refused.renamed)) {
    const value = ownMember(body, name)
    if (value === undefined) continue
    Object.assign(changes, { [name]: undefined })
    if (value !== null && ownMember(body, other) === undefined) Object.assign(changes, { [other]: value })
  }
}

/** Thoughts in the history are not requested by the client: an earlier model wrote them. */
const spokenThoughts: ReadonlySet<string> = new Set(['reasoning_content', 'reasoning', 'reasoning_details'])

const refusedIn = (message: JsonObject, { messages }: RefusedMembers, lost: Set<string>): string[] => {
  const names = ownMember(messages, textOf(message.role))
  if (names === undefined) return []
  const found: string[] = []
  for (const name in message) {
    if (!names.has(name)) continue
    found.push(name)
    if (isAsking(ownMember(message, name)))
      lost.add(spokenThoughts.has(name) ? 'messages.thinking' : `messages.${name}`)
  }
  return found
}

const lacksThoughts = (message: JsonObject): boolean =>
  message.role === 'assistant' &&
  listOf(message.tool_calls).length > 0 &&
  (typeof message.reasoning_content !== 'string' || message.reasoning_content === '')

const wantsThoughts = (body: JsonObject, host: HostFacts, family: ModelFacts | undefined): boolean => {
  if (family?.wantsThoughts !== true || host.ownThoughts === true) return false
  return family.thinking === undefined || thinksIn(body, family.thinking)
}

/** All such changes of a chat completion. */
export const memberChanges = (
  request: OutgoingRequest,
  host: HostFacts,
  family: ModelFacts | undefined,
): MemberChanges => {
  const { body } = request
  const lost = new Set<string>()
  const nullsStay = takesNulls(host, family)
  // A host with a form of its own for thoughts translates for its models.
  const refused = host.refused ?? (host.ownThoughts === true ? undefined : family?.refused)
  const members = withoutNulls(request, host, family)
  const tools = nullsStay ? undefined : plainTools(body.tools)
  if (tools !== undefined) members.tools = tools
  if (refused !== undefined) withoutRefused(body, refused, members, lost)
  const fills = wantsThoughts(body, host, family)
  const messages = new Map<number, JsonObject>()
  const mark = prefixMark(listOf(body.messages), family)
  if (nullsStay && refused === undefined && !fills && mark === undefined) return { members, messages, unsupported: [] }
  for (const [place, message] of listOf(body.messages).entries()) {
    if (!isObject(message)) continue
    const names = nullsStay ? [] : nullsIn(message)
    if (refused !== undefined) names.push(...refusedIn(message, refused, lost))
    const filled = fills && lacksThoughts(message)
    if (names.length > 0 || filled)
      messages.set(place, { ...removing(names), ...(filled ? { reasoning_content: noThought } : {}) })
  }
  if (mark !== undefined) messages.set(mark[0], { ...messages.get(mark[0]), ...mark[1] })
  return { members, messages, unsupported: [...lost] }
}
