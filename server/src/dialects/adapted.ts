import { withoutClientNoise } from './conversation/client-noise.ts'
import type { Answer, Conversation, Part, Tool } from './conversation/conversation.ts'
import { withReadablePictures } from './conversation/gaps/attachments.ts'
import { withCallsInStep } from './conversation/gaps/calls-in-step.ts'
import { membersOf } from './conversation/json.ts'
import { isMedia } from './conversation/provider-fields.ts'
import { openWord, type Unwrap, withObjectRoot } from './conversation/schema-root.ts'
import type { StreamEvent } from './conversation/stream-event.ts'
import type { UnsupportedFields } from './conversation/unsupported-fields.ts'
import type { StreamReader, UpstreamDialect } from './dialect.ts'
import { registeredType } from './facts/media-types.ts'
import { familyOf } from './facts/models.ts'
import { withTaggedThoughts } from './tagged-thoughts.ts'
import { withAllowedTools } from './tools/allowed-tools.ts'
import { plainArguments } from './tools/encrypted-arguments.ts'
import { asPlainFunctions, type PlainFunctions } from './tools/plain-functions.ts'
import { hasCombinedRoot, plainRoot } from './tools/plain-root.ts'
import { plainNames, withLegalNames } from './tools/tool-names.ts'

/** A conversation within a provider's rules, and a dialect that converts the answers back to the client's request. */
export interface Adapted {
  readonly conversation: Conversation
  readonly dialect: UpstreamDialect
}

const withLegalToolNames = ({ conversation, dialect }: Adapted): Adapted => {
  const renamed = withLegalNames(conversation, dialect.toolNames ?? plainNames)
  if (renamed === undefined) return { conversation, dialect }
  const { own } = renamed
  const ownPart = (part: Part): Part => (part.kind === 'tool_call' ? { ...part, name: own(part.name) } : part)
  const ownEvent = (event: StreamEvent): StreamEvent =>
    event.kind === 'tool_call' ? { ...event, name: own(event.name) } : event
  return {
    conversation: renamed.conversation,
    dialect: {
      ...dialect,
      readAnswer: (json) => withParts(dialect.readAnswer(json), ownPart),
      openStream() {
        const reader = dialect.openStream()
        return {
          read: (data, event) => reader.read(data, event).map(ownEvent),
          end: () => reader.end().map(ownEvent),
        }
      },
    },
  }
}

const withParts = (answer: Answer, change: (part: Part) => Part): Answer => ({
  ...answer,
  choices: answer.choices.map((choice) => ({ ...choice, parts: choice.parts.map(change) })),
})

/** Unwraps text from its object. The remaining text is emitted before the choice finishes. */
const unwrappedStream = (reader: StreamReader, open: () => Unwrap): StreamReader => {
  const choices = new Map<number, Unwrap>()

  const restOf = (choice: number): StreamEvent[] => {
    const text = choices.get(choice)?.rest() ?? ''
    choices.delete(choice)
    return text === '' ? [] : [{ kind: 'text', choice, text }]
  }

  const unwrapped = (event: StreamEvent): StreamEvent[] => {
    if (event.kind === 'finish') return [...restOf(event.choice), event]
    if (event.kind !== 'text') return [event]
    const unwrap = choices.get(event.choice) ?? open()
    choices.set(event.choice, unwrap)
    const text = unwrap.push(event.text)
    const isEmpty = text === '' && event.logprobs === undefined && event.signature === undefined
    return isEmpty ? [] : [{ ...event, text }]
  }

  return {
    read: (data, event) => reader.read(data, event).flatMap(unwrapped),
    end: () => {
      const left = reader.end().flatMap(unwrapped)
      return [...[...choices.keys()].flatMap(restOf), ...left]
    },
  }
}

const withObjectSchema = ({ conversation, dialect }: Adapted): Adapted => {
  const { format } = conversation
  if (format?.kind !== 'schema') return { conversation, dialect }
  const rooted = dialect.anySchema ? { format, unwrap: format.word && openWord } : withObjectRoot(format)
  const { unwrap } = rooted
  const request = { ...conversation, format: rooted.format }
  if (unwrap === undefined || dialect.bareEnums) return { conversation: request, dialect }
  const ownPart = (part: Part): Part => {
    if (part.kind !== 'text') return part
    const text = unwrap()
    return { ...part, text: text.push(part.text) + text.rest() }
  }
  return {
    conversation: request,
    dialect: {
      ...dialect,
      readAnswer: (json) => withParts(dialect.readAnswer(json), ownPart),
      openStream: () => unwrappedStream(dialect.openStream(), unwrap),
    },
  }
}

/** Tools whose schemas are one object each, for models and hosts that refuse combinators at the root. */
const withPlainRoots = ({ conversation, dialect }: Adapted, unsupported: UnsupportedFields): Adapted => {
  const isWanted = dialect.plainRoots === true || familyOf(conversation.model)?.plainRoots === true
  if (!isWanted || !conversation.tools.some(isCombined)) return { conversation, dialect }
  unsupported.add('tools.parameters')
  return { conversation: { ...conversation, tools: conversation.tools.map(plainTool) }, dialect }
}

const isCombined = (tool: Tool): boolean => tool.kind === 'function' && hasCombinedRoot(tool.parameters)

const plainTool = (tool: Tool): Tool => {
  if (tool.kind !== 'function' || !hasCombinedRoot(tool.parameters)) return tool
  const { strict: _, parameters, ...rest } = tool
  return { ...rest, parameters: plainRoot(parameters) }
}

/** Tools without encrypted arguments, for dialects other than Responses. */
const withPlainArguments = ({ conversation, dialect }: Adapted): Adapted => {
  const { tools } = conversation
  if (dialect.clientTools === true) return { conversation, dialect }
  const plain = (tool: Tool): Tool =>
    tool.kind === 'function' && tool.parameters !== undefined
      ? { ...tool, parameters: plainArguments(tool.parameters) }
      : tool
  return { conversation: { ...conversation, tools: tools.map(plain) }, dialect }
}

/** Media types as their registry writes them: Anthropic refuses `image/jpg`. */
const withRegisteredTypes = ({ conversation, dialect }: Adapted): Adapted => {
  const registered = (part: Part): Part => {
    if (part.kind === 'tool_result') return { ...part, content: part.content.map(registered) }
    if (!isMedia(part) || part.source.kind !== 'base64') return part
    const mediaType = registeredType(part.source.mediaType)
    if (mediaType === part.source.mediaType) return part
    return { ...part, source: { ...part.source, mediaType } } as Part
  }
  const messages = conversation.messages.map((message) => ({ ...message, parts: message.parts.map(registered) }))
  return { conversation: { ...conversation, messages }, dialect }
}

/** Pictures of registered types that the model reads. */
const withPictures = (adapted: Adapted, unsupported: UnsupportedFields): Adapted => {
  const { conversation, dialect } = withRegisteredTypes(adapted)
  return { conversation: withReadablePictures(conversation, dialect, unsupported), dialect }
}

/** Replaces parts that only the client's dialect has by their text form. */
const withPlainTexts = ({ conversation, dialect }: Adapted, unsupported: UnsupportedFields): Adapted => {
  const plain = (part: Part): Part[] => {
    if (part.kind === 'tool_result') return [{ ...part, content: part.content.flatMap(plain) }]
    if (part.kind !== 'opaque' || part.plain?.kind !== 'text' || part.dialect === dialect.name) return [part]
    if (membersOf(part.value.citations).enabled === true) unsupported.add(`messages.${part.type}.citations`)
    return part.plain.text === '' ? [] : [part.plain]
  }
  const messages = conversation.messages.map((message) => ({ ...message, parts: message.parts.flatMap(plain) }))
  return { conversation: { ...conversation, messages }, dialect }
}

/** Converts calls of plain functions back to the tools that the client offered. */
const withOfferedCalls = ({ conversation, dialect }: Adapted, offered: PlainFunctions['offered']): Adapted => {
  const ownPart = (part: Part): Part => (part.kind === 'tool_call' ? { ...part, ...offered(part.name) } : part)
  const ownEvent = (event: StreamEvent): StreamEvent =>
    event.kind === 'tool_call' ? { ...event, ...offered(event.name) } : event
  return {
    conversation,
    dialect: {
      ...dialect,
      readAnswer: (json) => withParts(dialect.readAnswer(json), ownPart),
      openStream() {
        const reader = dialect.openStream()
        return {
          read: (data, event) => reader.read(data, event).map(ownEvent),
          end: () => reader.end().map(ownEvent),
        }
      },
    },
  }
}

/** Members that only the client's dialect has, of fields and parts that are translated without them. */
const reportUnread = ({ own, messages }: Conversation, dialect: UpstreamDialect, unsupported: UnsupportedFields) => {
  if (own.dialect === dialect.name) return
  for (const name of own.unread ?? []) unsupported.add(name)
  const report = (part: Part): void => {
    if (part.kind === 'tool_result') for (const inner of part.content) report(inner)
    else if (isMedia(part)) for (const name of part.unread ?? []) unsupported.add(`messages.${part.kind}.${name}`)
  }
  for (const { parts } of messages) for (const part of parts) report(part)
}

/** A conversation within the rules of the dialect's providers, and the dialect as it answers that one. */
export const adapted = (
  conversation: Conversation,
  dialect: UpstreamDialect,
  unsupported: UnsupportedFields,
): Adapted => {
  const plain = dialect.clientTools ? undefined : asPlainFunctions(conversation)
  const offered = withAllowedTools(plain?.conversation ?? conversation, dialect.toolLists)
  reportUnread(offered, dialect, unsupported)
  const isOwn = offered.own.dialect === dialect.name
  const isTagged = familyOf(conversation.model)?.thoughtTags === true
  const start = {
    conversation: isOwn ? offered : withCallsInStep(withoutClientNoise(offered), unsupported),
    dialect: isTagged ? withTaggedThoughts(dialect) : dialect,
  }
  const within = withObjectSchema(
    withPlainRoots(
      withLegalToolNames(withPlainArguments(withPictures(withPlainTexts(start, unsupported), unsupported))),
      unsupported,
    ),
  )
  return plain === undefined ? within : withOfferedCalls(within, plain.offered)
}
