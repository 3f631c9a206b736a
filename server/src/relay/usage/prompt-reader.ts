import { plainPieces } from '../../billing/counting/inputs.ts'
import type { PromptReader } from '../../billing/counting/prompt.ts'
import { promptReader as chatReader } from '../../dialects/openai-chat/prompt.ts'
import type { RelayCall } from '../call.ts'

/** Reads calls that are no conversation; a list of messages counts as in chat completions. */
export const promptReader: PromptReader = {
  module: import.meta.url,
  read: (model, body) => (Array.isArray(body.messages) ? chatReader.read(model, body) : plainPieces(model, body)),
}

/** The prompt reader of a call's dialect, or of calls without conversation. */
export const promptReaderOf = ({ dialect }: Partial<Pick<RelayCall, 'dialect'>>): PromptReader =>
  dialect?.promptReader ?? promptReader
