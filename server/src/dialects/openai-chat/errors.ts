import { dataEvent } from '../../lib/sse.ts'
import { isObject, type JsonObject } from '../conversation/json.ts'
import type { ClientError, ErrorFormat } from '../errors.ts'

/** What Azure's filter found (learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter). */
const filterResult = ({ upstreamFields }: ClientError): { readonly innererror?: JsonObject } => {
  const inner = upstreamFields?.innererror
  return isObject(inner) ? { innererror: inner } : {}
}

/** OpenAI's error object. Errors before the relay (`early`) have neither `code` nor `param`. */
export const openaiErrors: ErrorFormat = {
  body(error, message) {
    const { type, param, code, early } = error
    return { error: early ? { message, type } : { message, type, param, code, ...filterResult(error) } }
  },
  event: dataEvent,
}
