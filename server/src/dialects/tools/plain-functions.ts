import { createHash } from 'node:crypto'
import type { Conversation, Message, Part, Tool, ToolCallPart, ToolChoice } from '../conversation/conversation.ts'
import { defined } from '../conversation/json.ts'

/** A Responses conversation whose namespaced tools and client tools became plain functions, which every provider accepts. */
export interface PlainFunctions {
  readonly conversation: Conversation
  /** Fields that turn a call of the plain function `name` back into a call of the client's tool. */
  readonly offered: (name: string) => Partial<Pick<ToolCallPart, 'name' | 'namespace' | 'clientTool'>>
}

type Named = Exclude<Tool, { kind: 'built_in' }>

/** OpenAI puts tools without a namespace into this one. */
const defaultNamespace = 'functions'

const joined = (namespace: string, name: string): string => {
  if (namespace === defaultNamespace) return name
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`
}

const withDigest = (name: string, key: string): string =>
  `${name}_${createHash('sha256').update(key).digest('hex').slice(0, 8)}`

const isNamed = (tool: Tool): tool is Named => tool.kind !== 'built_in'

const callsIn = (messages: readonly Message[]): ToolCallPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part): part is ToolCallPart => part.kind === 'tool_call'))

/** Function names for namespaced tools. They are stable over calls, so that prompt caches match. */
const openNames = (plain: ReadonlySet<string>) => {
  const taken = new Set(plain)
  const names = new Map<string, string>()
  return (namespace: string, name: string): string => {
    const key = `${namespace}\n${name}`
    const existing = names.get(key)
    if (existing !== undefined) return existing
    const wanted = joined(namespace, name)
    const free = taken.has(wanted) ? withDigest(wanted, key) : wanted
    taken.add(free)
    names.set(key, free)
    return free
  }
}

const plainChoice = (choice: ToolChoice, namesOf: (name: string) => readonly string[]): ToolChoice => {
  if (choice.kind === 'tool') return { ...choice, name: namesOf(choice.name)[0] ?? choice.name }
  return choice.kind === 'allowed' ? { ...choice, names: choice.names.flatMap(namesOf) } : choice
}

/**
 * Converts namespaced tools and OpenAI's client tools to plain functions; undefined if the conversation has neither. The
 * description of a namespace goes to its first tool.
 */
export const asPlainFunctions = (conversation: Conversation): PlainFunctions | undefined => {
  if (conversation.own.dialect !== 'openai-responses') return undefined
  const tools = conversation.tools.filter(isNamed)
  const calls = callsIn(conversation.messages)
  const isSpecial = (tool: Named): boolean =>
    tool.namespace !== undefined || (tool.kind === 'function' && tool.clientTool !== undefined)
  if (!tools.some(isSpecial) && !calls.some(({ namespace }) => namespace !== undefined)) return undefined

  const outside = [...tools, ...calls].filter(({ namespace }) => namespace === undefined)
  const plainName = openNames(new Set(outside.map(({ name }) => name)))
  const offered = new Map<string, ReturnType<PlainFunctions['offered']>>()
  const described = new Set<string>()

  const plainTool = (tool: Tool): Tool => {
    if (!isNamed(tool) || !isSpecial(tool)) return tool
    const { namespace, ...rest } = tool
    const { clientTool, ...bare } = rest.kind === 'function' ? rest : { ...rest, clientTool: undefined }
    const name = namespace === undefined ? tool.name : plainName(namespace.name, tool.name)
    offered.set(name, defined({ name: tool.name, namespace: namespace?.name, clientTool: clientTool?.type }))
    if (namespace === undefined || namespace.description === '' || described.has(namespace.name))
      return { ...bare, name }
    described.add(namespace.name)
    const description = [namespace.description, tool.description ?? ''].join('\n\n').trim()
    return { ...bare, name, description }
  }

  const plainPart = (part: Part): Part => {
    if (part.kind !== 'tool_call' || part.namespace === undefined) return part
    const { namespace, ...call } = part
    return { ...call, name: plainName(namespace, part.name) }
  }

  const namesOf = (name: string): readonly string[] =>
    tools
      .filter((tool) => tool.name === name)
      .map(({ namespace }) => (namespace === undefined ? name : plainName(namespace.name, name)))

  const { toolChoice } = conversation
  return {
    conversation: {
      ...conversation,
      tools: conversation.tools.map(plainTool),
      messages: conversation.messages.map((message) => ({ ...message, parts: message.parts.map(plainPart) })),
      ...(toolChoice === undefined ? {} : { toolChoice: plainChoice(toolChoice, namesOf) }),
    },
    offered: (name) => offered.get(name) ?? {},
  }
}
