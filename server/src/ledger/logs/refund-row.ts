import { type LogText, logType } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { blankLog, sentenceColumns } from './sentence-row.ts'

export interface RefundRowParts {
  readonly database: Database
  /** The same as `database` unless logs live apart. */
  readonly logDatabase: Database
  /** Quota units of one unit of currency, 0 where the site shows quota units. */
  readonly unit: () => number
  readonly clock: Clock
}

interface Refund {
  readonly userId: number
  readonly channelId: number
  /** Refunded quota units. */
  readonly quota: number
  /** The movement's name: a refund that is tried again is not logged twice. */
  readonly movement: string
  readonly text: LogText
  /** Further members of the row, such as the request that was paid back. */
  readonly other: Readonly<Record<string, string | number>>
}

/** Writes a refund into its user's log: within `trx`, or at once where logs have a database of their own. */
export const writeRefundRow = async (
  { database, logDatabase, unit, clock }: RefundRowParts,
  trx: Transaction<Tables>,
  refund: Refund,
): Promise<void> => {
  const { userId, channelId, quota, movement, text } = refund
  const user = await trx.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst()
  const { content, other } = sentenceColumns(text, unit())
  const row = {
    ...blankLog,
    user_id: userId,
    username: user?.username ?? '',
    created_at: unixSeconds(clock),
    type: logType.system,
    content,
    quota,
    channel_id: channelId,
    request_id: movement,
    other: JSON.stringify({ ...refund.other, ...other }),
  }
  const together = logDatabase === database
  await logDatabase.insertMany('logs', [row], { skipExisting: true, ...(together ? { trx } : {}) })
}
