import { call } from '#web/lib/api/api.ts'
import { calls, type ListedBatch } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { download } from '#web/lib/download.ts'
import { useAction } from '#web/lib/query.ts'
import { useBatchMessages } from './messages.ts'

type Kind = ListedBatch['files'][number]

export interface BatchActions {
  /** Rejects where it is refused. */
  readonly cancel: (batch: ListedBatch) => Promise<unknown>
  readonly retry: (batch: ListedBatch) => Promise<unknown>
  readonly save: (batch: ListedBatch, kind: Kind) => Promise<unknown>
}

const lists = [calls.browseBatches, calls.browseOwnBatches]

/** Acts on batches. `onMade` is called with the number of a batch that was made of another. */
export const useBatchActions = (onMade: (id: number) => void): BatchActions => {
  const say = useBatchMessages()
  const self = useSession()?.id
  const cancel = useAction(
    ({ id, user_id }: ListedBatch) =>
      user_id === self ? call(calls.cancelOwnBatch, { params: { id } }) : call(calls.cancelBatch, { params: { id } }),
    { refresh: lists, refreshAfterFailure: lists, done: say('cancelDone') },
  )
  const retry = useAction(({ id }: ListedBatch) => call(calls.retryOwnBatch, { params: { id } }), {
    refresh: lists,
    done: ({ batch_id: id }) => say('retried', { id }),
    onDone: ({ id }) => onMade(id),
  })
  const save = useAction(({ id, batch_id }: ListedBatch, kind: Kind) => {
    const name = `${batch_id.replaceAll('/', '_')}_${kind}.jsonl`
    return download(calls.getOwnBatchResults, { params: { id }, query: { kind } }, name)
  })
  return { cancel: cancel.submit, retry: retry.run, save: save.run }
}
