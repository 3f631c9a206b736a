import { ownMember } from '@tollgate/contract/own-member'
import {
  defined,
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  parsedJson,
  textIn,
  textOf,
} from '../conversation/json.ts'
import type { StreamEvent } from '../conversation/stream-event.ts'
import type { StreamReader } from '../dialect.ts'
import { billedUsage, isClientCall, readCitation, readEncrypted, readFinish } from './answer.ts'

/** The HTTP status of each exception (API_runtime_ConverseStream.html, Errors). */
const statuses: Readonly<Record<string, number>> = {
  throttlingException: 429,
  validationException: 400,
  accessDeniedException: 403,
  resourceNotFoundException: 404,
  modelTimeoutException: 408,
  modelStreamErrorException: 424,
  internalServerException: 500,
  serviceUnavailableException: 503,
}

const thoughtEvent = (content: JsonObject): StreamEvent => {
  if (content.redactedContent !== undefined) {
    const encrypted = readEncrypted(content.redactedContent)
    return { kind: 'thinking', choice: 0, text: '', encrypted, by: 'anthropic' }
  }
  const signature = textIn(content.signature)
  const signed = signature === undefined ? {} : { signature, by: 'anthropic' as const }
  return { kind: 'thinking', choice: 0, text: textOf(content.text), ...signed }
}

const exceptionEvent = (exception: JsonObject): StreamEvent => {
  const type = textOf(exception.type)
  return { kind: 'error', type, message: textOf(exception.message), ...defined({ status: ownMember(statuses, type) }) }
}

/** Reads the messages of ConverseStream, each an object with one member that names it (see `converseFrames`). */
export const openReader = (): StreamReader => {
  /** Index of the tool call in each content block, by block index. */
  const calls = new Map<number, number>()
  const served: JsonObject[] = []
  let ended = false

  const startEvents = (block: JsonObject): StreamEvent[] => {
    const { toolUse } = membersOf(block.start)
    if (!isObject(toolUse)) return []
    if (!isClientCall(toolUse)) {
      served.push(toolUse)
      return []
    }
    const index = calls.size
    calls.set(numberIn(block.contentBlockIndex) ?? 0, index)
    return [{ kind: 'tool_call', choice: 0, index, id: textOf(toolUse.toolUseId), name: textOf(toolUse.name) }]
  }

  const argumentEvents = (block: JsonObject, toolUse: JsonObject): StreamEvent[] => {
    const index = calls.get(numberIn(block.contentBlockIndex) ?? 0)
    const text = textOf(toolUse.input)
    return index === undefined || text === '' ? [] : [{ kind: 'arguments', choice: 0, index, text }]
  }

  const deltaEvents = (block: JsonObject): StreamEvent[] => {
    const delta = membersOf(block.delta)
    if (typeof delta.text === 'string') {
      return delta.text === '' ? [] : [{ kind: 'text', choice: 0, text: delta.text }]
    }
    if (isObject(delta.reasoningContent)) return [thoughtEvent(delta.reasoningContent)]
    if (isObject(delta.toolUse)) return argumentEvents(block, delta.toolUse)
    return isObject(delta.citation) ? [{ kind: 'citation', choice: 0, citation: readCitation(delta.citation) }] : []
  }

  const stopEvents = (stop: JsonObject): StreamEvent[] => {
    const stopSequence = textIn(membersOf(stop.additionalModelResponseFields).stop_sequence)
    return [{ kind: 'finish', choice: 0, finish: readFinish(stop.stopReason), ...defined({ stopSequence }) }]
  }

  const usageEvents = (metadata: JsonObject): StreamEvent[] => {
    const usage = billedUsage(metadata, served)
    return usage === undefined ? [] : [{ kind: 'usage', usage }]
  }

  const readers: Readonly<Record<string, (payload: JsonObject) => StreamEvent[]>> = {
    messageStart: () => [{ kind: 'start', id: '', model: '', created: 0 }],
    contentBlockStart: startEvents,
    contentBlockDelta: deltaEvents,
    messageStop: stopEvents,
    metadata: usageEvents,
    exception: (payload) => [exceptionEvent(payload)],
  }

  return {
    read(data) {
      const message = parsedJson(data)
      if (!isObject(message)) return []
      return Object.entries(message).flatMap(([name, payload]) => ownMember(readers, name)?.(membersOf(payload)) ?? [])
    },
    end() {
      if (ended) return []
      ended = true
      return [{ kind: 'end' }]
    },
  }
}
