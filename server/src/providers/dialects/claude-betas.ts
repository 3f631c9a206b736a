import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, listOf, textOf } from '../../dialects/conversation/json.ts'
import {
  betaMembers,
  betasAt,
  type ClaudeHostFacts,
  scopeBeta,
  searchBetas,
} from '../../dialects/facts/claude-hosts.ts'
import type { OutgoingRequest } from '../provider.ts'

/** Anthropic's beta features at hosts that take only some of them: a member goes with the name of its feature. */

/** The names in a value of `anthropic-beta`. */
export const betasIn = (header: string | undefined): readonly string[] =>
  header === undefined
    ? []
    : header
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean)

/** Requested beta features: in the header, or in the body as Bedrock's own clients write it. */
export const askedBetas = ({ passed, body }: Pick<OutgoingRequest, 'passed' | 'body'>): string | undefined =>
  passed['anthropic-beta'] ??
  (Array.isArray(body.anthropic_beta) ? body.anthropic_beta.map(textOf).join(',') : undefined)

/** The client's beta names that the host accepts for the model. */
export const keptBetas = (
  host: ClaudeHostFacts['host'],
  model: string,
  header: string | undefined,
): readonly string[] => {
  const asked = betasIn(header)
  if (asked.length === 0) return asked
  const taken = betasAt(host, model)
  return asked.filter((name) => taken.has(name))
}

type Change = (block: JsonObject) => JsonObject

/** Blocks with a change in each that needs one; the same list where none does. */
const changedBlocks = (blocks: unknown, change: Change): unknown => {
  if (!Array.isArray(blocks)) return blocks
  const changed = (blocks as unknown[]).map((block) => {
    if (!isObject(block)) return block
    const own = change(block)
    const content = changedBlocks(own.content, change)
    return content === own.content ? own : { ...own, content }
  })
  return changed.some((block, place) => block !== blocks[place]) ? changed : blocks
}

const changedMessages = (messages: unknown, change: Change): unknown =>
  changedBlocks(messages, (message) => {
    const content = changedBlocks(message.content, change)
    return content === message.content ? message : { ...message, content }
  })

const withoutScope: Change = (block) => {
  const { cache_control: mark } = block
  if (!isObject(mark) || mark.scope === undefined) return block
  const { scope: _, ...rest } = mark
  return { ...block, cache_control: rest }
}

/** A reference to a tool that is loaded at once, in words. */
const toldReference: Change = (block) =>
  block.type === 'tool_reference' ? { type: 'text', text: `Loaded: ${textOf(block.tool_name)}` } : block

const withoutMembers = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** Names of the object's members whose feature is not among the kept ones. */
const foreignIn = (object: JsonObject, kept: readonly string[], place: keyof typeof betaMembers): string[] =>
  Object.entries(betaMembers[place]).flatMap(([name, betas]) =>
    ownMember(object, name) === undefined || betas.some((beta) => kept.includes(beta)) ? [] : [name],
  )

export interface BetaChanges {
  readonly members: Record<string, unknown>
  readonly unsupported: readonly string[]
}

/** The changes of a Messages request whose client requested the features in `header`, of which the host accepts `kept`. */
export const withKeptBetas = (body: JsonObject, header: string | undefined, kept: readonly string[]): BetaChanges => {
  const asked = betasIn(header)
  const lost = new Set(asked.filter((name) => !kept.includes(name)).map((name) => `anthropic-beta.${name}`))
  const members: Record<string, unknown> = {}
  for (const name of foreignIn(body, kept, 'request')) {
    Object.assign(members, { [name]: undefined })
    const value = ownMember(body, name)
    if (value !== null && value !== 'auto') lost.add(name)
  }
  const { thinking } = body
  const foreign = isObject(thinking) ? foreignIn(thinking, kept, 'thinking') : []
  for (const name of foreign) lost.add(`thinking.${name}`)
  if (isObject(thinking) && foreign.length > 0) members.thinking = withoutMembers(thinking, foreign)
  const searches = searchBetas.some((name) => kept.includes(name))
  const offered = listOf(body.tools)
  let tools: readonly unknown[] = offered.map((tool) => {
    if (!isObject(tool)) return tool
    const names = foreignIn(tool, kept, 'tools')
    for (const name of names) lost.add(`tools.${name}`)
    return names.length === 0 ? tool : withoutMembers(tool, names)
  })
  if (!searches) tools = tools.filter((tool) => !(isObject(tool) && textOf(tool.type).startsWith('tool_search_tool_')))
  let messages = searches ? body.messages : changedMessages(body.messages, toldReference)
  if (asked.includes(scopeBeta) && !kept.includes(scopeBeta)) {
    messages = changedMessages(messages, withoutScope)
    tools = listOf(changedBlocks(tools, withoutScope))
    const system = changedBlocks(body.system, withoutScope)
    if (system !== body.system) members.system = system
  }
  if (messages !== body.messages) members.messages = messages
  if (tools.length !== offered.length || tools.some((tool, place) => tool !== offered[place])) members.tools = tools
  return { members, unsupported: [...lost] }
}
