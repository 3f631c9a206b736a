import { isObject, parseObject } from '@tollgate/contract/json'
import { type BatchForm, isSuccess, type LineFault, type LineOutcome } from './batch-form.ts'
import { lineMembers } from './line-members.ts'

const invalid = (param: string, message: string): LineFault => ({ fault: 'invalid_request_error', message, param })

/** Headers of the call that made a batch, which its lines are made with. */
export const lineHeaders = ['anthropic-version', 'anthropic-beta'] as const

const headersIn = (settings: string): Readonly<Record<string, string>> => {
  const { headers } = parseObject(settings)
  return Object.fromEntries(
    Object.entries(isObject(headers) ? headers : {}).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}

const errorOf = (fault: LineFault): string =>
  JSON.stringify({ type: 'error', error: { type: fault.fault, message: fault.message }, request_id: null })

const resultOf = (outcome: LineOutcome): string => {
  if (outcome.kind === 'cancelled') return '{"type":"canceled"}'
  if (outcome.kind === 'expired') return '{"type":"expired"}'
  if (outcome.kind === 'failed') return `{"type":"errored","error":${errorOf(outcome.fault)}}`
  return isSuccess(outcome)
    ? `{"type":"succeeded","message":${outcome.body}}`
    : `{"type":"errored","error":${outcome.body}}`
}

/** Batches as Anthropic's API has them (platform.claude.com/docs/en/api/creating-message-batches). */
export const anthropicForm: BatchForm = {
  name: 'anthropic',
  beginning: 'msgbatch_',
  windowSeconds: 86_400,
  hasErrorFile: false,
  hasUniqueNames: true,
  read(text, { endpoint, settings }) {
    const line = lineMembers(text)
    if (line === undefined) return invalid('', 'Input should be an object')
    const { custom_id: name, params } = line.members
    if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name))
      return invalid('custom_id', "String should match pattern '^[a-zA-Z0-9_-]{1,64}$'")
    if (!isObject(params)) return invalid('params', 'Field required')
    if (params.stream === true) return invalid('params.stream', 'Streaming is not supported in batches')
    return { name, path: endpoint, headers: headersIn(settings), body: line.bytesOf('params') }
  },
  print: ({ name, outcome }) => `{"custom_id":${JSON.stringify(name)},"result":${resultOf(outcome)}}`,
}
