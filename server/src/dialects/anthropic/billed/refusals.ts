import { type JsonObject, membersOf, objectsOf, textOf } from '../../conversation/json.ts'

/** True for a block that a model wrote; a fallback block marks where another model continues. */
const isWritten = (block: JsonObject): boolean => {
  switch (block.type) {
    case 'fallback':
      return false
    case 'text':
      return textOf(block.text) !== ''
    case 'thinking':
      return textOf(block.thinking) + textOf(block.signature) !== ''
    default:
      return true
  }
}

/**
 * True for a message that was refused before its model wrote anything. Its content says so, not its count of tokens: a stream states a
 * token as a placeholder (platform.claude.com/docs/en/build-with-claude/refusals-and-fallback).
 */
export const isRefusedAtOnce = ({ stop_reason: reason, content }: JsonObject): boolean =>
  reason === 'refusal' && !objectsOf(content).some(isWritten)

/** True for an event of a stream that says that the model refused. */
export const saysRefused = ({ delta }: JsonObject): boolean => membersOf(delta).stop_reason === 'refusal'

/** True for an event of a stream that brings something that a model wrote. */
export const bringsOutput = ({ type, delta, content_block: block }: JsonObject): boolean => {
  if (type === 'content_block_start') return isWritten(membersOf(block))
  return type === 'content_block_delta' && Object.entries(membersOf(delta)).some(isFilled)
}

const isFilled = ([name, value]: readonly [string, unknown]): boolean =>
  name !== 'type' && value !== '' && value !== null && value !== undefined
