import { errors } from '#server/dialects/anthropic/errors.ts'
import type { DeadlineCalls } from '#server/gateway/deadlines/deadline-calls.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { BatchCreation } from '../creation.ts'
import { anthropicForm, lineHeaders } from '../forms/anthropic.ts'
import type { Batch } from '../forms/batch-form.ts'
import { type BatchStore, isOpen } from '../stored/batch-store.ts'
import type { BatchChunks } from '../stored/chunks.ts'
import { timedSettings } from '../timed.ts'
import { checkRequests, listedRequests } from './listed-requests.ts'
import { isoTime, limitIn, type ModuleCall, type ModuleRoute, noBatch, pageOf, queryOf } from './request.ts'
import { sendPieces } from './send-lines.ts'

export interface AnthropicCallParts {
  readonly store: BatchStore
  readonly chunks: BatchChunks
  readonly creation: BatchCreation
  readonly mostLines: () => number
  /** Absent where calls have no deadlines. */
  readonly lanes: () => DeadlineCalls | undefined
}

const { beginning } = anthropicForm
const endpoint = '/v1/messages'
/** Characters of a header that lines are made with. */
const longestHeader = 1_000

/** Requests count as `processing` until the whole batch has ended. */
const countsOf = (batch: Batch): object => {
  const { total, succeeded, failed, skipped, state } = batch
  if (isOpen(batch)) return { processing: total, succeeded: 0, errored: 0, canceled: 0, expired: 0 }
  const isCancelled = state === 'cancelled'
  return {
    processing: 0,
    succeeded,
    errored: failed,
    canceled: isCancelled ? skipped : 0,
    expired: isCancelled ? 0 : skipped,
  }
}

const statusOf = (batch: Batch): string => {
  if (!isOpen(batch)) return 'ended'
  return batch.cancelling_time > 0 ? 'canceling' : 'in_progress'
}

/** A batch as Anthropic's clients read it; `address` is the gateway's. */
export const anthropicObject = (batch: Batch, address: string): object => {
  const id = beginning + batch.object_id
  return {
    id,
    type: 'message_batch',
    processing_status: statusOf(batch),
    request_counts: countsOf(batch),
    ended_at: isoTime(batch.ended_time),
    created_at: isoTime(batch.created_time),
    expires_at: isoTime(batch.expires_time),
    archived_at: null,
    cancel_initiated_at: isoTime(batch.cancelling_time),
    results_url: isOpen(batch) ? null : `${address}/v1/messages/batches/${id}/results`,
  }
}

/** Calls of Anthropic's API for batches (platform.claude.com/docs/en/api/creating-message-batches). */
export const anthropicCalls = ({
  store,
  chunks,
  creation,
  mostLines,
  lanes,
}: AnthropicCallParts): readonly ModuleRoute[] => {
  const find = async ({ caller }: ModuleCall, id: string): Promise<Batch> => {
    const name = id.startsWith(beginning) ? id.slice(beginning.length) : ''
    const batch = await store.find(name, 'anthropic', caller)
    if (batch === undefined) throw noBatch(id)
    return batch
  }

  const named = (call: ModuleCall): Promise<Batch> => find(call, call.params[0] ?? '')

  const ended = async (call: ModuleCall): Promise<Batch> => {
    const batch = await named(call)
    if (isOpen(batch)) throw new AppError('batch_not_ended', { params: { id: call.params[0] ?? '' } })
    return batch
  }

  const send = (call: ModuleCall, batch: Batch): void =>
    call.sendJson(200, JSON.stringify(anthropicObject(batch, call.address())))

  const create = async (call: ModuleCall): Promise<void> => {
    const { caller, context } = call
    const headers = Object.fromEntries(
      lineHeaders.flatMap((name) => {
        const value = context.request.headers[name]
        return typeof value === 'string' && value.length <= longestHeader ? [[name, value]] : []
      }),
    )
    const { requests } = await listedRequests(await call.body(), mostLines())
    await checkRequests(requests, anthropicForm, { endpoint, model: '', settings: '{}' })
    const settings = { headers, ...timedSettings(call, {}, anthropicForm, lanes()) }
    const asked = { form: anthropicForm, caller, ip: context.ip, endpoint, model: '', settings } as const
    send(call, await creation.ofRequests(asked, requests))
  }

  const list = async (call: ModuleCall): Promise<void> => {
    const query = queryOf(call)
    const limit = limitIn(query, 'limit', { usual: 20, most: 1000 })
    const page = await pageOf(query, { after: 'after_id', before: 'before_id' }, (id) => find(call, id))
    const { batches, hasMore } = await store.list('anthropic', call.caller, { ...page, limit })
    const address = call.address()
    const nameOf = (batch: Batch | undefined): string | null => (batch ? beginning + batch.object_id : null)
    call.sendJson(
      200,
      JSON.stringify({
        data: batches.map((batch) => anthropicObject(batch, address)),
        has_more: hasMore,
        first_id: nameOf(batches[0]),
        last_id: nameOf(batches.at(-1)),
      }),
    )
  }

  const cancel = async (call: ModuleCall): Promise<void> => {
    const batch = await named(call)
    if (!isOpen(batch)) throw new AppError('batch_ended', { params: { id: call.params[0] ?? '' } })
    await store.cancel(batch.id)
    send(call, await named(call))
  }

  const remove = async (call: ModuleCall): Promise<void> => {
    const batch = await ended(call)
    await store.remove(batch)
    call.sendJson(200, JSON.stringify({ id: beginning + batch.object_id, type: 'message_batch_deleted' }))
  }

  const results = async (call: ModuleCall): Promise<void> => {
    const { id } = await ended(call)
    await sendPieces(call.context.client, 'application/x-jsonl', chunks.results(id, 'output'))
  }

  const one = /^\/v1\/messages\/batches\/([^/]+)$/
  return [
    { method: 'POST', path: /^\/v1\/messages\/batches$/, errors, answer: create },
    { method: 'GET', path: /^\/v1\/messages\/batches$/, errors, answer: list },
    { method: 'GET', path: one, errors, answer: async (call) => send(call, await named(call)) },
    { method: 'DELETE', path: one, errors, answer: remove },
    { method: 'POST', path: /^\/v1\/messages\/batches\/([^/]+)\/cancel$/, errors, answer: cancel },
    { method: 'GET', path: /^\/v1\/messages\/batches\/([^/]+)\/results$/, errors, answer: results },
  ]
}
