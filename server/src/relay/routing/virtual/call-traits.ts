import type { IncomingHttpHeaders } from 'node:http'
import { ownMember } from '@tollgate/contract/own-member'
import { isObject, listOf } from '../../../dialects/conversation/json.ts'
import type { RelayCall } from '../../call.ts'
import { expectedPrompt } from '../../usage/expected-tokens.ts'
import type { CallTraits } from './condition.ts'

const hasTools = ({ tools, functions }: RelayCall['body']): boolean =>
  listOf(tools).length > 0 || listOf(functions).length > 0

const namesPicture = (type: unknown): boolean => typeof type === 'string' && type.includes('image')

/** A part of a message that is a picture, in any dialect. */
const isPicture = (part: unknown): boolean => {
  if (!isObject(part)) return false
  const inline = part.inlineData ?? part.inline_data ?? part.fileData ?? part.file_data
  return namesPicture(part.type) || (isObject(inline) && namesPicture(inline.mimeType ?? inline.mime_type))
}

const hasPictures = ({ body, dialect }: Pick<RelayCall, 'body' | 'dialect'>): boolean => {
  const messages = dialect === undefined ? body.messages : dialect.requestRules.messages(body)
  return listOf(messages).some(
    (message) => isObject(message) && [...listOf(message.content), ...listOf(message.parts)].some(isPicture),
  )
}

/** Traits of a call for conditions. */
export const traitsOf = (call: RelayCall, headers: IncomingHttpHeaders): CallTraits => ({
  at: call.startedAt,
  tokenId: call.caller.tokenId,
  teamId: call.caller.project?.teamId ?? 0,
  group: call.caller.group,
  tags: call.tags ?? call.caller.tags ?? '',
  stream: call.stream,
  header: (name) => {
    const value = ownMember(headers, name)
    return typeof value === 'string' ? value : undefined
  },
  hasTools: () => hasTools(call.body),
  hasPictures: () => hasPictures(call),
  promptTokens: () => expectedPrompt(call),
})
