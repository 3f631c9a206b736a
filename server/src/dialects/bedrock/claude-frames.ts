import { ownMember } from '@tollgate/contract/own-member'
import { isObject, parsedJson, textOf } from '../conversation/json.ts'
import { awsFrames, type EventMessage, exceptionText } from './frames.ts'

/** Anthropic's error type for each exception. */
const errorTypes: Readonly<Record<string, string>> = {
  throttlingException: 'rate_limit_error',
  validationException: 'invalid_request_error',
  accessDeniedException: 'permission_error',
  serviceUnavailableException: 'overloaded_error',
}

/** Decodes an event of Anthropic's stream, which the frame holds as base64 (Bedrock's InvokeModelWithResponseStream). */
const print = (message: EventMessage): string => {
  if (message.kind === 'event') {
    const chunk = parsedJson(message.payload)
    return isObject(chunk) ? Buffer.from(textOf(chunk.bytes), 'base64').toString() : ''
  }
  const type = ownMember(errorTypes, message.type) ?? 'api_error'
  return JSON.stringify({ type: 'error', error: { type, message: exceptionText(message) } })
}

export const claudeFrames = awsFrames(print)
