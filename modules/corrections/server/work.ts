import { setTimeout as sleep } from 'node:timers/promises'
import { logType } from '@tollgate/contract'
import { sql } from 'kysely'
import type { Row } from '#server/db/database.ts'
import { openRowClaims, type RowClaim } from '#server/jobs/row-claims.ts'
import { type JobRunner, openJobRunner } from '#server/jobs/runner.ts'
import { blankLog, sentenceColumns } from '#server/ledger/logs/sentence-row.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import { countNotLogged } from './not-logged.ts'
import type { CorrectionParts } from './ports.ts'
import { prepareSome } from './prepare.ts'
import { addUserSums, type CorrectionCall, type CorrectionRow, type CorrectionStore, type UserSum } from './store.ts'

/** One step keeps the database's writer for a few hundredths of a second. */
const stepCalls = 200
const restMs = 20
/** Longer than a step takes, whose end prolongs it. */
const leaseSeconds = 60
const usersAtOnce = 200

export type CorrectionWork = Pick<JobRunner<CorrectionRow>, 'work' | 'wake' | 'stop'>

const onlyGivesBack = ({ price }: CorrectionRow): boolean => 'settles' in (JSON.parse(price) as object)

export const createCorrectionWork = (parts: CorrectionParts, store: CorrectionStore): CorrectionWork => {
  const { database, logDatabase, ledger, clock } = parts
  const limit = parts.stepCalls ?? stepCalls
  const now = (): number => unixSeconds(clock)

  const prepare = async (row: CorrectionRow): Promise<boolean> => {
    if (await prepareSome(parts, row, limit)) return true
    const found = (await store.byId(row.id)) ?? row
    await store.ready(found, await countNotLogged(parts, found, found.seen))
    // Refunds of provisional charges are applied without asking.
    if (onlyGivesBack(row) && (await store.move(row.id, 'ready', 'applying'))) runner.wake()
    return false
  }

  const usernames = async (calls: readonly CorrectionCall[]): Promise<ReadonlyMap<number, string>> => {
    const ids = [...new Set(calls.map(({ user_id }) => user_id))]
    const rows = await database.query.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, username }) => [id, username]))
  }

  const apply = async (row: CorrectionRow): Promise<boolean> => {
    const calls = await store.waiting(row.id, limit)
    if (calls.length === 0) {
      await finish(row)
      return false
    }
    const names = await usernames(calls)
    await ledger.correct({
      correctionId: row.id,
      calls: calls.map((call) => ({
        requestId: call.request_id,
        replaces: call.replaces,
        userId: call.user_id,
        username: names.get(call.user_id) ?? '',
        tokenId: call.token_id,
        tokenName: call.token_name,
        channelId: call.channel_id,
        model: call.model_name,
        group: call.group,
        oldQuota: call.old_quota,
        newQuota: call.new_quota,
        costed: call.costed === 1,
        receipt: call.receipt,
      })),
      async recorded(trx, { applied, skipped }) {
        const [done, left] = [new Set(applied), new Set(skipped)]
        const mark = async (state: CorrectionCall['state'], some: readonly CorrectionCall[]): Promise<void> => {
          if (some.length === 0) return
          const ids = some.map(({ id }) => id)
          await trx.updateTable('correction_calls').set({ state, receipt: '' }).where('id', 'in', ids).execute()
        }
        const changed = calls.filter(({ request_id }) => done.has(request_id))
        const stale = calls.filter(({ request_id }) => left.has(request_id))
        const known = calls.filter(({ request_id }) => !done.has(request_id) && !left.has(request_id))
        await mark('applied', [...changed, ...known])
        await mark('skipped', stale)
        if (changed.length > 0) await addUserSums(trx, row.id, changed, 'applied')
        await trx
          .updateTable('corrections')
          .set((eb) => ({
            applied: eb('applied', '+', changed.length),
            skipped: eb('skipped', '+', stale.length),
          }))
          .where('id', '=', row.id)
          .execute()
      },
    })
    const credited = calls.filter(({ token_id }) => token_id !== 0).map(({ token_id }) => token_id)
    if (credited.length > 0) parts.tokensChanged([...new Set(credited)])
    return true
  }

  const logRow = (row: CorrectionRow, user: UserSum): Row => {
    const { content, other } = sentenceColumns(
      {
        code: 'price_corrected',
        params: { correction: row.id, calls: user.applied_calls, from: user.applied_old, to: user.applied_new },
      },
      parts.unit(),
    )
    return {
      ...blankLog,
      user_id: user.user_id,
      username: user.username,
      created_at: now(),
      type: logType.system,
      content,
      quota: user.applied_old - user.applied_new,
      // Named after the correction, so that a line that is written again is the same one.
      request_id: `correction:${row.id}:user:${user.user_id}`,
      other: JSON.stringify({ correction: row.id, ...other }),
    }
  }

  /** A line in the log of each user, then the end. */
  const finish = async (row: CorrectionRow): Promise<void> => {
    for (let after = 0; ; ) {
      const users = await store.usersAfter(row.id, after, usersAtOnce)
      const last = users.at(-1)
      if (last === undefined) break
      after = last.user_id
      const rows = users.filter(({ applied_calls }) => applied_calls > 0).map((user) => logRow(row, user))
      if (rows.length > 0) await logDatabase.insertMany('logs', rows, { skipExisting: true })
    }
    await store.move(row.id, 'applying', 'done', now())
  }

  /** Answers whether there is more to do. */
  const step = async (id: number): Promise<boolean> => {
    const row = await store.byId(id)
    if (row === undefined || row.finished_time !== 0) return false
    if (row.state === 'preparing') return prepare(row)
    return row.state === 'applying' ? apply(row) : false
  }

  const runner = openJobRunner<CorrectionRow, RowClaim>({
    store: openRowClaims({
      database,
      table: 'corrections',
      time: 'lease_time',
      leaseSeconds,
      where: sql`finished_time = 0 and state in ('preparing', 'applying')`,
      clock,
    }),
    async work({ id }, { claim, signal }) {
      while (await step(id)) {
        await sleep(parts.restMs ?? restMs)
        if (signal.aborted || !(await claim.keep())) return
      }
    },
    everyMs: parts.everyMs,
    failed: parts.failed,
    clock,
  })

  return runner
}
