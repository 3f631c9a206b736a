import { isObject, parseJson, parseObject } from '@tollgate/contract/json'
import type { DeadlineCalls } from '#server/gateway/deadlines/deadline-calls.ts'
import { AppError } from '#server/lib/app-error.ts'
import { isStorable } from '#server/lib/bounded-text.ts'
import { isUploading, type KeptFiles } from '#server/relay/stored/kept-files.ts'
import type { BatchCreation } from '../creation.ts'
import type { Batch } from '../forms/batch-form.ts'
import { openaiForm } from '../forms/openai.ts'
import { type BatchStore, isOpen } from '../stored/batch-store.ts'
import { timedSettings } from '../timed.ts'
import { invalidBatch, limitIn, type ModuleCall, noBatch, objectOf, pageOf, queryOf } from './request.ts'

export interface OpenaiCallParts {
  readonly store: BatchStore
  readonly creation: BatchCreation
  readonly keptFiles: Pick<KeptFiles, 'find'>
  /** True for paths of calls that lines may make. */
  readonly takes: (path: string) => boolean
  /** Absent where calls have no deadlines. */
  readonly lanes: () => DeadlineCalls | undefined
}

const { beginning } = openaiForm
const mostPairs = 16
const [longestKey, longestValue] = [64, 512]
const longestPath = 200

const timeOrNull = (seconds: number): number | null => (seconds === 0 ? null : seconds)
const textOrNull = (text: string): string | null => (text === '' ? null : text)

const statusOf = (batch: Batch): string => (isOpen(batch) && batch.cancelling_time > 0 ? 'cancelling' : batch.state)

/** Tokens of the answers so far. */
const usageOf = ({ input_tokens, cached_tokens, output_tokens, reasoning_tokens }: Batch): object => ({
  input_tokens,
  input_tokens_details: { cached_tokens },
  output_tokens,
  output_tokens_details: { reasoning_tokens },
  total_tokens: input_tokens + output_tokens,
})

/** A batch as OpenAI's clients read it. */
export const openaiObject = (batch: Batch): object => {
  const { state, ended_time } = batch
  const at = (end: Batch['state']): number | null => (state === end ? ended_time : null)
  const errors = parseJson(batch.errors)
  return {
    id: beginning + batch.object_id,
    object: 'batch',
    endpoint: batch.endpoint,
    errors: batch.errors === '[]' ? null : { object: 'list', data: errors },
    input_file_id: batch.input_file,
    completion_window: '24h',
    status: statusOf(batch),
    output_file_id: textOrNull(batch.output_file),
    error_file_id: textOrNull(batch.error_file),
    created_at: batch.created_time,
    in_progress_at: timeOrNull(batch.started_time),
    expires_at: batch.expires_time,
    finalizing_at: timeOrNull(batch.finalizing_time),
    completed_at: at('completed'),
    failed_at: at('failed'),
    expired_at: at('expired'),
    cancelling_at: timeOrNull(batch.cancelling_time),
    cancelled_at: at('cancelled'),
    request_counts: { total: batch.total, completed: batch.succeeded, failed: batch.failed },
    usage: usageOf(batch),
    metadata: parseObject(batch.settings).metadata ?? null,
  }
}

/** Checked metadata. Throws AppError `batch_request_invalid`. */
const metadataIn = (value: unknown): object | null => {
  if (value === undefined || value === null) return null
  if (!isObject(value)) throw invalidBatch('metadata is no object')
  const pairs = Object.entries(value)
  const fits = pairs.every(
    ([key, text]) => key.length <= longestKey && typeof text === 'string' && text.length <= longestValue,
  )
  if (!fits || pairs.length > mostPairs)
    throw invalidBatch(
      `metadata: at most ${mostPairs} texts of ${longestValue} characters, with names of ${longestKey}`,
    )
  return value
}

/** Calls of OpenAI's API for batches (platform.openai.com/docs/api-reference/batch). */
export const openaiCalls = ({ store, creation, keptFiles, takes, lanes }: OpenaiCallParts) => {
  const find = async ({ caller }: ModuleCall, id: string): Promise<Batch> => {
    const name = id.startsWith(beginning) ? id.slice(beginning.length) : ''
    const batch = await store.find(name, 'openai', caller)
    if (batch === undefined) throw noBatch(id)
    return batch
  }

  const send = ({ sendJson }: ModuleCall, batch: object): void => sendJson(200, JSON.stringify(batch))

  const create = async (call: ModuleCall): Promise<void> => {
    const body = objectOf(await call.body())
    const { input_file_id: file, endpoint, completion_window: window, metadata } = body
    if (typeof endpoint !== 'string' || !isStorable(endpoint, longestPath) || !takes(endpoint))
      throw invalidBatch('endpoint is no path of calls that a batch can make')
    if (window !== '24h') throw invalidBatch("completion_window must be '24h'")
    if (typeof file !== 'string') throw invalidBatch('input_file_id is missing')
    const settings = { metadata: metadataIn(metadata), ...timedSettings(call, body, openaiForm, lanes()) }
    const found = await keptFiles.find(file, call.caller)
    if (found === undefined || isUploading(found)) throw new AppError('kept_file_not_found', { params: { id: file } })
    if (found.purpose !== 'batch') throw invalidBatch("the purpose of input_file_id is not 'batch'")
    const { caller, context } = call
    const asked = { form: openaiForm, caller, ip: context.ip, endpoint, model: '', settings } as const
    send(call, openaiObject(await creation.ofFile(asked, found.id)))
  }

  const list = async (call: ModuleCall): Promise<void> => {
    const query = queryOf(call)
    const limit = limitIn(query, 'limit', { usual: 20, most: 100 })
    const page = await pageOf(query, { after: 'after' }, (id) => find(call, id))
    const { batches, hasMore } = await store.list('openai', call.caller, { ...page, limit })
    const nameOf = (batch: Batch | undefined): string | null => (batch ? beginning + batch.object_id : null)
    send(call, {
      object: 'list',
      data: batches.map(openaiObject),
      first_id: nameOf(batches[0]),
      last_id: nameOf(batches.at(-1)),
      has_more: hasMore,
    })
  }

  const retrieve = async (call: ModuleCall): Promise<void> =>
    send(call, openaiObject(await find(call, call.params[0] ?? '')))

  const cancel = async (call: ModuleCall): Promise<void> => {
    const [id = ''] = call.params
    const batch = await find(call, id)
    if (!isOpen(batch)) throw new AppError('batch_ended', { params: { id } })
    await store.cancel(batch.id)
    send(call, openaiObject(await find(call, id)))
  }

  return { create, list, retrieve, cancel }
}
