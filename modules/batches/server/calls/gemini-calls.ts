import { isObject, parseJson, parseObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { keyTextLength } from '#server/db/column-lengths.ts'
import type { DeadlineCalls } from '#server/gateway/deadlines/deadline-calls.ts'
import { AppError } from '#server/lib/app-error.ts'
import { isStorable } from '#server/lib/bounded-text.ts'
import { makerOf } from '#server/relay/reader.ts'
import { isUploading, type KeptFiles } from '#server/relay/stored/kept-files.ts'
import type { BatchCreation } from '../creation.ts'
import type { Batch } from '../forms/batch-form.ts'
import { geminiForm } from '../forms/gemini.ts'
import { type BatchStore, isOpen } from '../stored/batch-store.ts'
import type { BatchChunks } from '../stored/chunks.ts'
import { timedSettings } from '../timed.ts'
import { checkRequests, listedRequests } from './listed-requests.ts'
import { invalidBatch, isoTime, limitIn, type ModuleCall, noBatch, pageOf, queryOf } from './request.ts'
import { sendPieces } from './send-lines.ts'

export interface GeminiCallParts {
  readonly store: BatchStore
  readonly chunks: BatchChunks
  readonly creation: BatchCreation
  readonly keptFiles: Pick<KeptFiles, 'find'>
  /** True for paths of calls that lines may make. */
  readonly takes: (path: string) => boolean
  readonly mostLines: () => number
  /** Absent where calls have no deadlines. */
  readonly lanes: () => DeadlineCalls | undefined
}

const { beginning } = geminiForm
const [filesBefore, idBefore] = ['files/', 'file-']
const [longestName, longestModel] = [512, 200]

/** Actions of the lines of a batch, by the call that makes it. */
const lineActions: Readonly<Record<string, string>> = {
  batchGenerateContent: 'generateContent',
  asyncBatchEmbedContent: 'embedContent',
}

/** The type of a batch's object. */
const typeOf = ({ endpoint }: Batch): string =>
  `type.googleapis.com/google.ai.generativelanguage.v1main.${endpoint.endsWith(':embedContent') ? 'EmbedContentBatch' : 'GenerateContentBatch'}`

const stateOf = ({ state }: Batch): string => {
  switch (state) {
    case 'in_progress':
    case 'finalizing':
      return 'BATCH_STATE_RUNNING'
    case 'completed':
      return 'BATCH_STATE_SUCCEEDED'
    case 'failed':
      return 'BATCH_STATE_FAILED'
    case 'cancelled':
      return 'BATCH_STATE_CANCELLED'
    case 'expired':
      return 'BATCH_STATE_EXPIRED'
    default:
      return 'BATCH_STATE_PENDING'
  }
}

const fileName = (id: string): string => filesBefore + id.slice(idBefore.length)

const outputOf = ({ output_file }: Batch): object | undefined =>
  output_file === '' ? undefined : { responsesFile: fileName(output_file) }

const endings = {
  failed: { code: 3, message: 'The batch failed.' },
  cancelled: { code: 1, message: 'The batch was cancelled.' },
  expired: { code: 4, message: 'The batch expired.' },
} as const

/** The error of a batch that ended without success (google.rpc.Status). */
const errorOf = (batch: Batch): object | undefined => {
  const { state } = batch
  if (state !== 'failed' && state !== 'cancelled' && state !== 'expired') return undefined
  const faults = parseJson(batch.errors)
  const [first] = Array.isArray(faults) ? (faults as unknown[]) : []
  if (!isObject(first)) return endings[state]
  const place = typeof first.line === 'number' ? `line ${first.line}: ` : ''
  return { ...endings[state], message: `${place}${String(first.message)}` }
}

/** A batch as Gemini's clients read it, without results that stand in it. */
export const geminiObject = (batch: Batch): Readonly<Record<string, unknown>> => {
  const { total, succeeded, failed, skipped } = batch
  const name = beginning + batch.object_id
  const output = outputOf(batch)
  const ended = isoTime(batch.ended_time)
  const error = errorOf(batch)
  return {
    name,
    metadata: {
      '@type': typeOf(batch),
      name,
      model: `models/${batch.model}`,
      displayName: parseObject(batch.settings).displayName ?? '',
      state: stateOf(batch),
      createTime: isoTime(batch.created_time),
      updateTime: isoTime(Math.max(batch.created_time, batch.started_time, batch.ended_time)),
      ...(ended === null ? {} : { endTime: ended }),
      ...(output && { output }),
      batchStats: {
        requestCount: String(total),
        successfulRequestCount: String(succeeded),
        failedRequestCount: String(failed),
        pendingRequestCount: String(Math.max(0, total - succeeded - failed - skipped)),
      },
    },
    done: !isOpen(batch),
    ...(error && { error }),
  }
}

async function* withInlineResults(batch: Batch, results: AsyncIterable<string>): AsyncGenerator<string> {
  const { metadata, ...operation } = geminiObject(batch)
  const [head, tail] = [JSON.stringify(operation).slice(0, -1), JSON.stringify(metadata).slice(0, -1)]
  yield `${head},"metadata":${tail},"output":{"inlinedResponses":{"inlinedResponses":[`
  let separator = ''
  for await (const result of results) {
    yield separator + result
    separator = ','
  }
  yield ']}}}}'
}

const displayNameIn = (batch: unknown): string => {
  const name = isObject(batch) ? (batch.displayName ?? batch.display_name) : undefined
  if (name === undefined) return ''
  if (typeof name !== 'string' || name.length > longestName)
    throw invalidBatch(`batch.displayName: no text of at most ${longestName} characters`)
  return name
}

/** The file with the requests, where they are not in the body. */
const fileIn = (batch: unknown): string | undefined => {
  const config = isObject(batch) ? (batch.inputConfig ?? batch.input_config) : undefined
  const name = isObject(config) ? (config.fileName ?? config.file_name) : undefined
  return typeof name === 'string' ? name : undefined
}

/** Calls of Gemini's API for batches (ai.google.dev/api/batch-api). */
export const geminiCalls = (parts: GeminiCallParts) => {
  const { store, chunks, creation, keptFiles, lanes } = parts

  const find = async ({ caller }: ModuleCall, id: string): Promise<Batch> => {
    const batch = await store.find(id, 'gemini', caller)
    if (batch === undefined) throw noBatch(beginning + id)
    return batch
  }

  const named = (call: ModuleCall): Promise<Batch> => find(call, call.params[0] ?? '')

  const storedFile = async ({ caller }: ModuleCall, name: string): Promise<string> => {
    const id = name.startsWith(filesBefore) ? idBefore + name.slice(filesBefore.length) : ''
    const file = id === '' ? undefined : await keptFiles.find(id, caller)
    if (file === undefined || isUploading(file)) throw new AppError('kept_file_not_found', { params: { id: name } })
    return file.id
  }

  const create = async (call: ModuleCall): Promise<void> => {
    const [model = '', making = ''] = call.params
    const endpoint = `/v1beta/models/${encodeURIComponent(model)}:${ownMember(lineActions, making) ?? ''}`
    if (!isStorable(model, longestModel) || endpoint.length > keyTextLength || !parts.takes(endpoint))
      throw invalidBatch('there is no such model')
    const body = await call.body()
    const { requests, frame } = await listedRequests(body, parts.mostLines())
    const file = fileIn(frame.batch)
    const settings = { displayName: displayNameIn(frame.batch), ...timedSettings(call, {}, geminiForm, lanes()) }
    const { caller, context } = call
    const asked = { form: geminiForm, maker: makerOf(caller), ip: context.ip, endpoint, model, settings } as const
    if (file === undefined) await checkRequests(requests, geminiForm, { endpoint, model, settings: '{}' })
    const batch =
      file === undefined
        ? await creation.ofRequests(asked, requests)
        : await creation.ofFile(asked, await storedFile(call, file))
    call.sendJson(200, JSON.stringify(geminiObject(batch)))
  }

  const retrieve = async (call: ModuleCall): Promise<void> => {
    const batch = await named(call)
    if (isOpen(batch) || batch.input_file !== '') return call.sendJson(200, JSON.stringify(geminiObject(batch)))
    const results = chunks.orderedResults(batch.id)
    await sendPieces(call.context.client, 'application/json; charset=utf-8', withInlineResults(batch, results))
  }

  const list = async (call: ModuleCall): Promise<void> => {
    const query = queryOf(call)
    const limit = limitIn(query, 'pageSize', { usual: 50, most: 1000 })
    const page = await pageOf(query, { after: 'pageToken' }, (id) => find(call, id))
    const { batches, hasMore } = await store.list('gemini', call.caller, { ...page, limit })
    const last = batches.at(-1)
    const next = hasMore && last !== undefined ? { nextPageToken: last.object_id } : {}
    call.sendJson(200, JSON.stringify({ operations: batches.map(geminiObject), ...next }))
  }

  const cancel = async (call: ModuleCall): Promise<void> => {
    const batch = await named(call)
    if (!isOpen(batch)) throw new AppError('batch_ended', { params: { id: beginning + batch.object_id } })
    await store.cancel(batch.id)
    call.sendJson(200, '{}')
  }

  const remove = async (call: ModuleCall): Promise<void> => {
    await store.remove(await named(call))
    call.sendJson(200, '{}')
  }

  return { create, list, retrieve, cancel, remove }
}
