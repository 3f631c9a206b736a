import { isObject, type JsonObject, listOf, membersOf, textOf } from '../../dialects/conversation/json.ts'
import type { HostFacts } from '../../dialects/facts/hosts.ts'
import type { ModelFacts } from '../../dialects/facts/model-facts.ts'
import { isForeign } from '../../dialects/facts/models.ts'
import { unnamedItem } from '../../dialects/openai-responses/seals.ts'
import { withoutEncryption } from '../../dialects/tools/encrypted-arguments.ts'

/** Differences between OpenAI's Responses and those of other hosts. */

type Changes = Record<string, unknown>

const isOpenais = (host: HostFacts, family: ModelFacts | undefined): boolean =>
  host.ownResponses === true && !isForeign(family)

/** Thoughts that are not OpenAI's have their text in `content`. */
const isForeignThought = (item: unknown): item is JsonObject =>
  isObject(item) && item.type === 'reasoning' && listOf(item.content).length > 0

/**
 * OpenAI refuses reasoning with `content` (github.com/musistudio/claude-code-router/issues/1783). Reasoning that it has not encrypted
 * itself is removed, with the names of the items behind it, which it would look up.
 */
const withoutForeignThoughts = (input: readonly unknown[], unsupported: string[]): readonly unknown[] => {
  let isLost = false
  const kept = input.flatMap((item) => {
    if (!isForeignThought(item)) return [item]
    const { content: _, ...rest } = item
    if (textOf(item.encrypted_content) !== '') return [rest]
    isLost = true
    return []
  })
  if (!isLost) return kept
  unsupported.push('messages.thinking')
  return kept.map(unnamedItem)
}

/** The changes of a request in Responses that its host requires. */
export const responsesChanges = (
  { input, tools }: JsonObject,
  host: HostFacts,
  family: ModelFacts | undefined,
  unsupported: string[],
): Changes => {
  if (isOpenais(host, family)) {
    const items = listOf(input)
    if (family === undefined || !items.some(isForeignThought)) return {}
    return { input: withoutForeignThoughts(items, unsupported) }
  }
  if (family !== undefined && !isForeign(family)) return {}
  const offered = listOf(tools)
  const plain = offered.map((tool) => withoutEncryption(membersOf(tool)))
  return plain.some((tool, place) => tool !== offered[place]) ? { tools: plain } : {}
}
