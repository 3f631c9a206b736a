import { isObject } from '@tollgate/contract/json'
import type { BatchForm, LineFault, LineOutcome } from './batch-form.ts'
import { lineMembers } from './line-members.ts'

/** Characters of a name that a client gives to a line. */
export const longestName = 512

const missing = (name: string): LineFault => ({
  fault: 'missing_required_parameter',
  message: `Missing required parameter: '${name}'.`,
  param: name,
})

const invalid = (param: string, message: string): LineFault => ({ fault: 'invalid_request', message, param })

const skippedErrors = {
  expired: {
    code: 'batch_expired',
    message: 'This request could not be executed before the completion window expired.',
  },
  cancelled: { code: 'batch_cancelled', message: 'This request was not executed because the batch was cancelled.' },
} as const

const errorOf = (outcome: LineOutcome): { readonly code: string; readonly message: string } | null => {
  if (outcome.kind === 'answered') return null
  if (outcome.kind === 'failed') return { code: outcome.fault.fault, message: outcome.fault.message }
  return skippedErrors[outcome.kind]
}

/** Batches as OpenAI's API has them (platform.openai.com/docs/api-reference/batch). */
export const openaiForm: BatchForm = {
  name: 'openai',
  beginning: 'batch_',
  windowSeconds: 86_400,
  hasErrorFile: true,
  hasUniqueNames: true,
  read(text, { endpoint }) {
    const line = lineMembers(text)
    if (line === undefined)
      return { fault: 'invalid_json_line', message: 'This line is not parseable as valid JSON.', param: null }
    const { custom_id: name, method, url, body } = line.members
    if (typeof name !== 'string' || name === '') return missing('custom_id')
    if (name.length > longestName) return invalid('custom_id', `'custom_id' is longer than ${longestName} characters.`)
    if (method === undefined) return missing('method')
    if (method !== 'POST') return { fault: 'invalid_method', message: "The method must be 'POST'.", param: 'method' }
    if (url === undefined) return missing('url')
    if (url !== endpoint)
      return {
        fault: 'url_mismatch',
        message: 'The URL provided for this request does not match the batch endpoint.',
        param: 'url',
      }
    if (!isObject(body)) return missing('body')
    if (body.stream === true) return invalid('body.stream', 'Streaming is not supported in batches.')
    return {
      name,
      path: endpoint,
      headers: {},
      // Reading the whole input for its faults asks for no body.
      get body() {
        return line.bytesOf('body')
      },
    }
  },
  print({ id, name, outcome }) {
    const head = `"id":${JSON.stringify(`batch_req_${id}`)},"custom_id":${JSON.stringify(name)}`
    const response =
      outcome.kind === 'answered'
        ? `{"status_code":${outcome.status},"request_id":${JSON.stringify(outcome.requestId)},"body":${outcome.body}}`
        : 'null'
    return `{${head},"response":${response},"error":${JSON.stringify(errorOf(outcome))}}`
  },
}
