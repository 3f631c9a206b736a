import {
  browseBatches,
  browseOrganisationBatches,
  browseOwnBatches,
  cancelBatch,
  cancelOwnBatch,
  countBatches,
  countOwnBatches,
  getOwnBatchResults,
  retryOwnBatch,
} from '@tollgate/contract'
import type { Audit } from '#server/features/audit/audit.ts'
import { type Actor, actorOf } from '#server/http/actor.ts'
import { type OrganisationTasks, organisationPage } from '#server/http/organisation-tasks.ts'
import type { On } from '#server/http/route.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { KeptFiles } from '#server/relay/stored/kept-files.ts'
import type { Batch } from '../forms/batch-form.ts'
import { type BatchStore, isOpen } from '../stored/batch-store.ts'
import type { BatchChunks } from '../stored/chunks.ts'
import { type BatchReader, type BatchReads, clientIdOf } from './batch-reads.ts'

export interface BatchRouteParts {
  readonly reads: BatchReads
  readonly store: Pick<BatchStore, 'cancel'>
  readonly chunks: Pick<BatchChunks, 'results'>
  readonly keptFiles: Pick<KeptFiles, 'open' | 'find'>
  readonly retry: (batch: Batch, ip: string) => Promise<Batch>
  readonly audit: Audit
  readonly organisationTasks: OrganisationTasks
}

/** Calls of the console about batches. */
export const batchRoutes = (on: On, parts: BatchRouteParts): void => {
  const { reads, store, chunks, keptFiles, retry, audit, organisationTasks } = parts

  const found = async (reader: BatchReader, id: number): Promise<Batch> => {
    const batch = await reads.find(reader, id)
    if (batch === undefined) throw new AppError('not_found')
    return batch
  }

  const trace = ({ id, username, ip }: Actor, verb: 'cancel' | 'retry', batch: Batch): Promise<void> =>
    audit.record({
      actor: { id, username },
      action: `batch.${verb}`,
      object: 'batch',
      objectId: clientIdOf(batch),
      before: {},
      after: {},
      ip,
    })

  const cancel = async (actor: Actor, batch: Batch): Promise<void> => {
    if (!isOpen(batch)) throw new AppError('batch_ended', { params: { id: clientIdOf(batch) } })
    if (await store.cancel(batch.id)) await trace(actor, 'cancel', batch)
  }

  on(browseBatches, async ({ query, caller }) => ({ data: await reads.browse({ operator: caller.id }, query) }))
  on(browseOwnBatches, async ({ query, caller }) => ({ data: await reads.browse({ userId: caller.id }, query) }))
  on(browseOrganisationBatches, organisationPage(organisationTasks, reads))
  on(countBatches, async ({ query: { facet, ...query }, caller }) => ({
    data: await reads.facet({ operator: caller.id }, facet, query),
  }))
  on(countOwnBatches, async ({ query: { facet, ...query }, caller }) => ({
    data: await reads.facet({ userId: caller.id }, facet, query),
  }))
  on(cancelBatch, async (call) => {
    await cancel(actorOf(call), await found({ operator: call.caller.id }, call.params.id))
    return {}
  })
  on(cancelOwnBatch, async (call) => {
    await cancel(actorOf(call), await found({ userId: call.caller.id }, call.params.id))
    return {}
  })
  on(retryOwnBatch, async (call) => {
    const batch = await found({ userId: call.caller.id }, call.params.id)
    const made = await retry(batch, call.ip)
    await trace(actorOf(call), 'retry', batch)
    return { data: { id: made.id, batch_id: clientIdOf(made) } }
  })
  on(getOwnBatchResults, async ({ params, query: { kind }, caller }) => {
    const batch = await found({ userId: caller.id }, params.id)
    const file = kind === 'output' ? batch.output_file : batch.error_file
    const isStored = batch.input_file === '' && kind === 'output' && !isOpen(batch)
    if (file === '' && !isStored) throw new AppError('not_found')
    const reader = { userId: batch.user_id, tokenId: batch.token_id }
    if (!isStored && (await keptFiles.find(file, reader)) === undefined)
      throw new AppError('kept_file_not_found', { params: { id: file } })
    return {
      file: {
        name: `batch_${batch.object_id}_${kind}.jsonl`,
        type: 'application/jsonl',
        parts: isStored ? chunks.results(batch.id, 'output') : keptFiles.open({ id: file }),
      },
    }
  })
}
