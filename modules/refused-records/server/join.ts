import {
  getRefusedRecord,
  listRefusedRecords,
  type RefusedRecord,
  type RefusedRecordDetail,
  retryRefusedRecord,
} from '@tollgate/contract'
import type { JoinModule } from '#server/app/modules/module-kit.ts'
import type { RefusedRequest } from '#server/ledger/refused/store.ts'
import { AppError } from '#server/lib/app-error.ts'

const mostListed = 100
const seconds = (ms: number): number => Math.floor(ms / 1000)

const shown = ({ record, ...kept }: RefusedRequest): RefusedRecord => ({
  request_id: record.id,
  created_at: seconds(record.at),
  refused_at: seconds(kept.refusedAt),
  kind: record.kind,
  step: kept.step,
  charged: kept.isCharged,
  user_id: record.userId,
  username: record.username,
  token_id: record.tokenId,
  token_name: record.tokenName,
  channel: record.channelId,
  model_name: record.model,
  quota: record.quota,
  reason: kept.reason,
  retries: kept.retries,
})

const shownWhole = (kept: RefusedRequest): RefusedRecordDetail => ({
  ...shown(kept),
  ip: kept.record.ip,
  content: kept.record.content,
  other: kept.record.other,
  // The hash of the channel's key stays on the server.
  task: kept.record.task === undefined ? '' : JSON.stringify({ ...kept.record.task, keyHash: undefined }),
})

/** Joins the records of this node that the database refused, for operators to look at and to try again. */
export const join: JoinModule = ({ ledger: { refused }, config: { nodeName }, audit, on }) => {
  on(listRefusedRecords, async () => {
    const { records, total } = (await refused?.list(mostListed)) ?? { records: [], total: 0 }
    return { data: { items: records.map(shown), total, node_name: nodeName } }
  })

  on(getRefusedRecord, async ({ params }) => {
    const kept = await refused?.find(params.id)
    if (kept === undefined) throw new AppError('not_found', { details: { request_id: params.id } })
    return { data: shownWhole(kept) }
  })

  on(retryRefusedRecord, async ({ params, caller, ip }) => {
    const leaveTrace = (outcome: string): Promise<void> =>
      audit.record({
        actor: { id: caller.id, username: caller.username },
        action: 'refused_record.retry',
        object: 'refused_record',
        objectId: params.id,
        before: {},
        after: { outcome },
        ip,
      })
    try {
      if (refused === undefined) throw new AppError('not_found')
      await refused.retry(params.id)
    } catch (error) {
      await leaveTrace(error instanceof AppError ? error.code : 'internal_error')
      throw error
    }
    await leaveTrace('done')
    return {}
  })
  return {}
}
