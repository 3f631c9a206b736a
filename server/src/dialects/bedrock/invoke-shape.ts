import { AppError } from '../../lib/app-error.ts'
import { editMembers } from '../../lib/json/json-edit.ts'
import type { ClientShape } from '../client-shape.ts'
import { membersOf, parsedJson, textOf } from '../conversation/json.ts'
import { errors, streamException } from './client-errors.ts'
import { eventFrame, eventStreamType, exceptionFrame } from './client-frames.ts'

const onlyClaude = 'only the format of Anthropic models can be invoked (anthropic_version); call converse for others'

/** Errors come from the relay with AWS's type, and from an upstream with Anthropic's. */
const frameOf = (payload: string): Buffer => {
  const { type, error, __type, message } = membersOf(parsedJson(payload))
  if (typeof __type === 'string') return exceptionFrame(streamException(__type), textOf(message))
  if (type === 'error') return exceptionFrame('modelStreamErrorException', textOf(membersOf(error).message))
  return eventFrame('chunk', { bytes: Buffer.from(payload).toString('base64') })
}

/**
 * Bedrock's InvokeModel for Claude (docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html):
 * a Messages request whose model and stream stand in the path.
 */
export const invokeShape: ClientShape = {
  path: '/v1/messages',
  read({ raw, body }, { model, stream }) {
    const { anthropic_version: version, ...rest } = body
    if (typeof version !== 'string') throw new AppError('invalid_text_request', { params: { detail: onlyClaude } })
    const members = { model, ...(stream ? { stream } : {}) }
    const texts = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, JSON.stringify(value)]))
    return { raw: editMembers(raw, { anthropic_version: undefined, ...texts }), body: { ...rest, ...members } }
  },
  frames: { contentType: eventStreamType, open: () => frameOf },
  errors,
}
