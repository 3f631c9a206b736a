import { createHash } from 'node:crypto'
import type { Conversation, Message, Part, Tool, ToolChoice } from '../conversation/conversation.ts'

/** Tool names that most providers accept (OpenAI, Anthropic and Bedrock document it). */
export const plainNames = /^[a-zA-Z0-9_-]{1,64}$/
const longest = 64

const digest = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 8)

const withDigest = (plain: string, name: string): string => `${plain.slice(0, longest - 9)}_${digest(name)}`

/** A name that every provider accepts. It is stable over calls, so that prompt caches match. */
const legalName = (name: string, taken: ReadonlySet<string>): string => {
  const letters = name.replaceAll(/[^a-zA-Z0-9_]/g, '_')
  const plain = /^[a-zA-Z_]/.test(letters) ? letters : `_${letters}`
  return plain.length > longest || taken.has(plain) ? withDigest(plain, name) : plain
}

const namesOfParts = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => {
    if (part.kind === 'tool_call') return [part.name]
    return part.kind === 'tool_result' && part.name !== undefined ? [part.name] : []
  })

const namesOf = ({ tools, messages }: Conversation): Set<string> =>
  new Set([
    ...tools.flatMap((tool) => (tool.kind === 'built_in' ? [] : [tool.name])),
    ...messages.flatMap(({ parts }) => namesOfParts(parts)),
  ])

/** Tool names that `legal` does not match, with their replacements; undefined if all match. */
const replacements = (conversation: Conversation, legal: RegExp): ReadonlyMap<string, string> | undefined => {
  const names = namesOf(conversation)
  const illegal = [...names].filter((name) => name !== '' && !legal.test(name))
  if (illegal.length === 0) return undefined
  const taken = new Set(names)
  return new Map(
    illegal.map((name) => {
      const instead = legalName(name, taken)
      taken.add(instead)
      return [name, instead]
    }),
  )
}

export interface RenamedTools {
  readonly conversation: Conversation
  /** The client's name of a renamed tool. */
  readonly own: (name: string) => string
}

/** Renames tools that the provider would refuse; undefined if all names match `legal`. */
export const withLegalNames = (conversation: Conversation, legal: RegExp): RenamedTools | undefined => {
  const names = replacements(conversation, legal)
  if (names === undefined) return undefined
  const legally = (name: string): string => names.get(name) ?? name
  const own = new Map([...names].map(([name, instead]) => [instead, name]))

  const renamedPart = (part: Part): Part => {
    if (part.kind === 'tool_call') return { ...part, name: legally(part.name) }
    return part.kind === 'tool_result' && part.name !== undefined ? { ...part, name: legally(part.name) } : part
  }
  const renamedTool = (tool: Tool): Tool => (tool.kind === 'built_in' ? tool : { ...tool, name: legally(tool.name) })
  const renamedChoice = (choice: ToolChoice): ToolChoice => {
    if (choice.kind === 'tool') return { ...choice, name: legally(choice.name) }
    return choice.kind === 'allowed' ? { ...choice, names: choice.names.map(legally) } : choice
  }
  const renamedMessage = (message: Message): Message => ({ ...message, parts: message.parts.map(renamedPart) })

  const { tools, messages, toolChoice } = conversation
  return {
    conversation: {
      ...conversation,
      tools: tools.map(renamedTool),
      messages: messages.map(renamedMessage),
      ...(toolChoice === undefined ? {} : { toolChoice: renamedChoice(toolChoice) }),
    },
    own: (name) => own.get(name) ?? name,
  }
}
