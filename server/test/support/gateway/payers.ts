import fc from 'fast-check'
import { expect } from 'vitest'
import type { Database } from '../../../src/db/database.ts'
import { insertReturningId } from '../../../src/db/dialect.ts'
import { capAccount } from '../../../src/ledger/caps/cap-accounts.ts'
import type { Gauges } from '../../../src/limits/call-limits.ts'
import type { Limiter } from '../../../src/limits/limiter.ts'
import { newToken, newUser } from '../ledger/ledger.ts'
import { aLimit, limitedCall } from '../limits/limiter.ts'
import type { LedgerGateway } from './ledger-listener.ts'
import { testToken, testUser } from './listener.ts'

/** Keys of their own, each with everything that may limit it: a balance, an amount of the key, caps and a limit. */

const amount = fc.oneof(fc.integer({ min: 2600, max: 60_000 }), fc.constant(1_000_000))
export const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 })

export const payerLimits = {
  balance: amount,
  remain: maybe(amount),
  memberCap: maybe(amount),
  projectCap: maybe(amount),
  limit: maybe(
    fc.record({
      measure: fc.constantFrom('tokens', 'output_tokens', 'input_tokens', 'money', 'requests'),
      part: fc.integer({ min: 20, max: 300 }),
    }),
  ),
}

type Drawn<Value> = Value extends fc.Arbitrary<infer Inner> ? Inner : never
export type PayerLimits = { readonly [Name in keyof typeof payerLimits]: Drawn<(typeof payerLimits)[Name]> }

/** The most that a limit of each measure lets through, in hundred parts. */
const mostOf = { tokens: 12_000, output_tokens: 12_000, input_tokens: 100, money: 60_000, requests: 3 }
const limitAmount = ({ measure, part }: NonNullable<PayerLimits['limit']>): number =>
  Math.max(1, Math.floor((mostOf[measure] * part) / 100))

const project = { id: 1, teamId: 1, memberId: 1 }

/** A charge of the payer's in the log. */
export interface PayersCharge {
  readonly request_id: string
  readonly quota: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

export interface Payer {
  readonly key: string
  /** Once all calls are over and in the database. */
  charges(): Promise<readonly PayersCharge[]>
  /** Expects that balances, caps and limits have lost what the charges say, and that nothing stays held. */
  expectBooks(charges: readonly PayersCharge[]): Promise<void>
}

export interface Payers {
  payer(limits: PayerLimits): Promise<Payer>
}

export const openPayers = (database: Database, { gateway, open }: LedgerGateway, limiter: Limiter): Payers => {
  let numbers = 0

  const newCap = async (subject: 'member' | 'project', most: number) => {
    const row = { organisation_id: 1, subject, subject_id: numbers, period: 'total', amount: most } as const
    const id = await insertReturningId(database.query, 'spend_caps', row)
    return { id: capAccount({ id, period: 'total' }, 0), of: subject }
  }

  const spentOf = async (account: number): Promise<number> => {
    const window = database.query.selectFrom('spend_windows').select('spent').where('id', '=', account)
    return (await window.executeTakeFirst())?.spent ?? 0
  }

  const gaugesOf = async (tokenId: number): Promise<Gauges | undefined> => {
    const call = limitedCall({ key: tokenId })
    try {
      const entry = await limiter.enter(call, { input: 0, output: 0, money: 0 })
      const gauges = entry?.gauges()
      entry?.settle(undefined)
      return gauges
    } catch (error) {
      return error instanceof Object && 'gauges' in error ? (error.gauges as Gauges) : undefined
    }
  }

  return {
    async payer({ balance, remain, memberCap, projectCap, limit }) {
      numbers += 1
      const { ledger } = open
      const userId = await newUser(database, ledger, balance)
      const unlimited = remain === undefined
      const tokenId = await newToken(database, ledger, { userId, remain: remain ?? 0, unlimited })
      const caps = await Promise.all([
        ...(memberCap === undefined ? [] : [newCap('member', memberCap)]),
        ...(projectCap === undefined ? [] : [newCap('project', projectCap)]),
      ])
      const token = { ...testToken, tokenId, unlimited, remainQuota: remain ?? 0, project, capsAt: () => caps }
      const key = `payer${numbers}`
      gateway.tokens.set(key, { ...token, user: { ...testUser, id: userId } })
      const rule = limit && {
        measure: limit.measure,
        amount: limitAmount(limit),
        window: 'day' as const,
        subjects: [{ kind: 'key' as const, value: String(tokenId) }],
      }
      limiter.setLimits(rule === undefined ? [] : [aLimit(rule, numbers)])
      return {
        key,
        async charges() {
          await gateway.listener.over()
          await ledger.flush()
          return database.query
            .selectFrom('logs')
            .select(['request_id', 'quota', 'prompt_tokens', 'completion_tokens'])
            .where('user_id', '=', userId)
            .where('type', '=', 2)
            .execute()
        },
        async expectBooks(charges) {
          const paid = charges.reduce((sum, { quota }) => sum + quota, 0)
          const user = database.query.selectFrom('users').select('quota').where('id', '=', userId)
          expect((await user.executeTakeFirstOrThrow()).quota).toBe(balance - paid)
          if (remain !== undefined) {
            const stored = database.query.selectFrom('tokens').select('remain_quota').where('id', '=', tokenId)
            expect((await stored.executeTakeFirstOrThrow()).remain_quota).toBe(remain - paid)
          }
          for (const { id } of caps) expect(await spentOf(id)).toBe(paid)
          // Reservations of limits are corrected to what was used.
          const gauges = limit?.measure === 'tokens' ? await gaugesOf(tokenId) : undefined
          const used = charges.reduce((sum, log) => sum + log.prompt_tokens + log.completion_tokens, 0)
          if (gauges?.tokens !== undefined && limit !== undefined)
            expect(Math.round(gauges.tokens.left)).toBe(Math.max(0, limitAmount(limit) - used))
          // All that is left can be held.
          const left = balance - paid
          if (left > 0)
            expect(await ledger.holds.hold({ userId, tokenId: 0, amount: left })).toMatchObject({ kind: 'held' })
        },
      }
    },
  }
}
