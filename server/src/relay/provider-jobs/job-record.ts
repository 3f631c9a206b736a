import type { Receipt } from '@tollgate/contract'
import type { UpstreamCost } from '../../billing/upstream/upstream-cost.ts'
import type { CallMeasures, RequestRecord } from '../ports.ts'
import type { ChargedJob } from './ports.ts'

/** Charge of a finished job, and the texts and figures of its row in the log. */
export interface JobCharge {
  readonly receipt: Receipt
  readonly model: string
  /** At the provider; undefined where it is unknown. */
  readonly cost: UpstreamCost | undefined
  readonly promptTokens: number
  readonly completionTokens: number
  readonly content: string
  readonly measures: Pick<CallMeasures, 'cached' | 'cacheWrite' | 'reasoning'>
  readonly other: Readonly<Record<string, unknown>>
}

/** The one record of a job: its charge, which names it, so that it cannot be charged twice. */
export const jobRecord = (
  { movement, channelId, owner, maker }: ChargedJob,
  charge: JobCharge,
  now: number,
): RequestRecord => {
  const { receipt, model, cost, promptTokens, completionTokens, content, measures, other } = charge
  return {
    id: movement,
    at: now,
    kind: 'charge',
    userId: maker.userId,
    username: owner.username,
    tokenId: maker.tokenId,
    tokenName: owner.tokenName,
    channelId,
    model,
    group: owner.group,
    quota: receipt.quota,
    cost: cost?.quota,
    promptTokens,
    completionTokens,
    useTime: 0,
    isStream: false,
    ip: owner.ip,
    ...(owner.tags === undefined ? {} : { tags: owner.tags }),
    ...(owner.endUser === undefined ? {} : { endUser: owner.endUser }),
    ...(owner.caps === undefined ? {} : { caps: owner.caps.map(({ id }) => id) }),
    content,
    // A job waits for minutes or hours: its duration is unrelated to the speed of answers.
    measures: { totalMs: undefined, firstMs: undefined, ...measures },
    other: {
      ...other,
      end: 'done',
      ...(owner.program === undefined ? {} : { client: owner.program }),
      path: owner.path,
      admin_info: { use_channel: [String(channelId)], ...(cost === undefined ? {} : { cost }) },
    },
    receipt,
  }
}
