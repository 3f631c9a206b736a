import { isObject, parseObject } from '@tollgate/contract/json'
import { type BatchForm, isSuccess, type LineFault, type LineOutcome } from './batch-form.ts'
import { lineMembers } from './line-members.ts'
import { longestName } from './openai.ts'

const invalid = (param: string, message: string): LineFault => ({ fault: 'INVALID_ARGUMENT', message, param })

/** An error as the status of an operation (google.rpc.Status). */
const statusOf = (outcome: LineOutcome): string => {
  if (outcome.kind === 'answered') {
    const { error } = parseObject(outcome.body)
    return JSON.stringify(isObject(error) ? error : { code: outcome.status, message: '' })
  }
  if (outcome.kind === 'failed') return JSON.stringify({ code: 3, message: outcome.fault.message })
  return outcome.kind === 'cancelled'
    ? '{"code":1,"message":"The request was not executed because the batch was cancelled."}'
    : '{"code":4,"message":"The request was not executed before the batch expired."}'
}

const longestMetadata = 10_000

/** The member that names a line in the results: `key` of a file's line, `metadata` of a request in the call. */
const nameOf = (members: Readonly<Record<string, unknown>>): string | undefined => {
  const { key, metadata } = members
  const name = key === undefined ? { metadata } : { key }
  if (key !== undefined && (typeof key !== 'string' || key.length > longestName)) return undefined
  const text = JSON.stringify(name)
  return text.length > longestMetadata ? undefined : text.slice(1, -1)
}

/** Batches as Gemini's API has them (ai.google.dev/gemini-api/docs/batch-api). */
export const geminiForm: BatchForm = {
  name: 'gemini',
  beginning: 'batches/',
  windowSeconds: 172_800,
  hasErrorFile: false,
  hasUniqueNames: false,
  read(text, { endpoint }) {
    const line = lineMembers(text)
    if (line === undefined) return invalid('', 'The line is no JSON object.')
    const name = nameOf(line.members)
    if (name === undefined) return invalid('key', 'The key is no text, or too long.')
    if (!isObject(line.members.request)) return invalid('request', 'The request is missing.')
    return { name, path: endpoint, headers: {}, body: line.bytesOf('request') }
  },
  print({ name, outcome }) {
    const result =
      isSuccess(outcome) && outcome.kind === 'answered' ? `"response":${outcome.body}` : `"error":${statusOf(outcome)}`
    return `{${[name, result].filter((part) => part !== '').join()}}`
  },
}
