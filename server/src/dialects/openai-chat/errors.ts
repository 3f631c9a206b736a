import { dataEvent } from '../../lib/sse.ts'
import { isObject, type JsonObject } from '../conversation/json.ts'
import type { ClientError, ErrorFormat } from '../errors.ts'

/** Result of Azure's filter (learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter). */
const filterResult = ({ upstreamFields }: ClientError): { readonly innererror?: JsonObject } => {
  const inner = upstreamFields?.innererror
  return isObject(inner) ? { innererror: inner } : {}
}

/** Engines state the possible length beside a prompt that is too long (llama.cpp, `exceed_context_size_error`). */
const contextSizes = ({ upstreamFields }: ClientError): JsonObject => {
  const { n_prompt_tokens, n_ctx } = upstreamFields ?? {}
  return {
    ...(typeof n_prompt_tokens === 'number' ? { n_prompt_tokens } : {}),
    ...(typeof n_ctx === 'number' ? { n_ctx } : {}),
  }
}

/** OpenAI's error object. Errors before the relay (`early`) have neither `code` nor `param`. */
export const openaiErrors: ErrorFormat = {
  body(error, message) {
    const { type, param, code, early } = error
    return {
      error: early ? { message, type } : { message, type, param, code, ...filterResult(error), ...contextSizes(error) },
    }
  },
  event: dataEvent,
}
