import { isObject, type JsonObject, membersOf, textOf } from '../conversation/json.ts'
import { gatewayCostIn } from '../cost/cost-place.ts'
import { converseUsage, stopReasonOf } from './client-answer.ts'
import { eventFrame, exceptionFrame } from './client-frames.ts'

const noFrame = Buffer.alloc(0)

const deltaOf = (delta: JsonObject): JsonObject | undefined => {
  switch (delta.type) {
    case 'text_delta':
      return { text: textOf(delta.text) }
    case 'input_json_delta':
      return { toolUse: { input: textOf(delta.partial_json) } }
    case 'thinking_delta':
      return { reasoningContent: { text: textOf(delta.thinking) } }
    case 'signature_delta':
      return { reasoningContent: { signature: textOf(delta.signature) } }
    default:
      return undefined
  }
}

/** True for the usage of a stream that breaks off: it has no stop reason, and no `message_stop` follows. */
const isLastWord = ({ delta, usage }: JsonObject): boolean =>
  membersOf(delta).stop_reason === null && gatewayCostIn(usage).cost !== undefined

const known: ReadonlySet<unknown> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use'])

/**
 * The events of a Messages stream as those of ConverseStream (API_runtime_ConverseStreamOutput.html), framed for AWS's clients.
 * It keeps state; one per stream.
 */
export const openConverseEvents = (): ((event: JsonObject) => Buffer) => {
  let usage: JsonObject = {}
  const startedAt = performance.now()
  const leftOut = new Set<unknown>()

  const blockStart = (contentBlockIndex: unknown, block: JsonObject): Buffer => {
    if (!known.has(block.type)) {
      leftOut.add(contentBlockIndex)
      return noFrame
    }
    if (block.type === 'redacted_thinking') {
      const redactedContent = Buffer.from(textOf(block.data)).toString('base64')
      return eventFrame('contentBlockDelta', { contentBlockIndex, delta: { reasoningContent: { redactedContent } } })
    }
    // Only calls of tools have a start.
    if (block.type !== 'tool_use') return noFrame
    const toolUse = { toolUseId: textOf(block.id), name: textOf(block.name) }
    return eventFrame('contentBlockStart', { contentBlockIndex, start: { toolUse } })
  }

  const blockDelta = (contentBlockIndex: unknown, value: JsonObject): Buffer => {
    const delta = leftOut.has(contentBlockIndex) ? undefined : deltaOf(value)
    return delta === undefined ? noFrame : eventFrame('contentBlockDelta', { contentBlockIndex, delta })
  }

  const metadata = (): Buffer => {
    const latencyMs = Math.round(performance.now() - startedAt)
    return eventFrame('metadata', { usage: converseUsage(usage), metrics: { latencyMs } })
  }

  return (event) => {
    const { index } = event
    switch (event.type) {
      case 'message_start':
        usage = { ...usage, ...membersOf(membersOf(event.message).usage) }
        return eventFrame('messageStart', { role: 'assistant' })
      case 'content_block_start':
        return blockStart(index, membersOf(event.content_block))
      case 'content_block_delta':
        return blockDelta(index, membersOf(event.delta))
      case 'content_block_stop':
        return leftOut.has(index) ? noFrame : eventFrame('contentBlockStop', { contentBlockIndex: index })
      case 'message_delta':
        if (isObject(event.usage)) usage = { ...usage, ...event.usage }
        if (isLastWord(event)) return metadata()
        return eventFrame('messageStop', { stopReason: stopReasonOf(membersOf(event.delta).stop_reason) })
      case 'message_stop':
        return metadata()
      case 'error':
        return exceptionFrame('modelStreamErrorException', textOf(membersOf(event.error).message))
      default:
        return noFrame
    }
  }
}
