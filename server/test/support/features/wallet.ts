import { type LogText, logType, type OptionKey, options as registry, writeLogText } from '@tollgate/contract'
import type { Database } from '../../../src/db/database.ts'
import { openStoredThrottle } from '../../../src/features/accounts/waits/stored-throttle.ts'
import { openAudit } from '../../../src/features/audit/audit.ts'
import type { OptionSnapshot } from '../../../src/features/options/snapshot.ts'
import { joinRedemptions } from '../../../src/features/redemptions/join.ts'
import { joinWallet } from '../../../src/features/wallet/join.ts'
import { verifyLedger } from '../../../src/ledger/verify/verify.ts'
import { openLog } from '../../../src/lib/log.ts'
import { createEgressGuard } from '../../../src/lib/security/egress.ts'
import { openSecrets } from '../../../src/lib/security/secrets.ts'
import { callApi, type TestAnswer, testApi, testCaller } from '../http/console.ts'
import { newJournalDirectory, newUser, openTestLedger } from '../ledger/ledger.ts'

export const perUnit = 500_000

export interface Event {
  readonly userId: number
  readonly username: string
  readonly type: number
  readonly content: string
}

/** A user of a test: calls go to the nodes in turn, from an address of their own. */
export interface TestUser {
  readonly id: number
  readonly call: (method: string, path: string, body?: unknown) => Promise<TestAnswer>
}

const fallbacks = (): Record<string, unknown> =>
  Object.fromEntries(Object.entries(registry).map(([key, option]) => [key, option.fallback]))

/** Redemption codes and top-ups on two nodes over one database, each with a ledger of its own; the clock moves by hand. */
export const openWalletSite = async (database: Database) => {
  const state = { now: Date.UTC(2026, 10, 21, 12) }
  const clock = () => state.now
  const values = fallbacks() as Record<OptionKey, unknown>
  const events: Event[] = []
  const logged: string[] = []
  const closers: (() => Promise<void>)[] = []
  const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })
  const audit = openAudit(database, clock)
  const log = openLog({ clock, format: 'json', debug: true, print: (line) => logged.push(line) })
  let users = 0

  const openNode = async () => {
    const journal = await newJournalDirectory()
    const { ledger, crash } = await openTestLedger(database, journal.directory, { now: clock })
    const callers = new Map<string, ReturnType<typeof testCaller>>()
    const api = testApi({
      callers: {
        bySession: async (cookie) => {
          const caller = callers.get(cookie)
          return caller === undefined ? undefined : { caller }
        },
        byAccessToken: async () => undefined,
      },
      clock,
      log,
    })
    const snapshot = () => values as unknown as OptionSnapshot
    const kit = {
      database,
      secrets,
      audit,
      clock,
      log,
      operatorEgress: createEgressGuard({ allow: [], operator: true }),
      ledger,
      options: { get: <Key extends OptionKey>(key: Key) => snapshot()[key], snapshot },
      on: api.on,
    }
    const needs = {
      async writeEvent(event: { userId: number; username: string; text: LogText }) {
        const { text, ...rest } = event
        events.push({ ...rest, type: logType.topUp, content: writeLogText({ ...text, unit: perUnit }, 'zh') ?? '' })
      },
      amountText: (quota: number) => `＄${(quota / perUnit).toFixed(6)} 额度`,
    }
    const guesses = await openStoredThrottle({ ...kit, redis: undefined, primary: undefined }, 'redeem')
    joinRedemptions(kit, { ...needs, guesses: guesses.throttle })
    const closeWallet = joinWallet(kit, needs)
    const close = async (): Promise<void> => {
      await closeWallet()
      await guesses.close()
    }
    closers.push(async () => {
      await close()
      await crash()
      await journal.remove()
    })
    return { api, ledger, callers }
  }

  const first = await openNode()
  const nodes = [first, await openNode()]
  let turn = 0

  const createUser = async (role: number, group = 'default', balance = 0): Promise<TestUser> => {
    users += 1
    const id = await newUser(database, first.ledger, balance)
    const named = database.query.selectFrom('users').select('username').where('id', '=', id)
    const { username } = await named.executeTakeFirstOrThrow()
    for (const { callers } of nodes) callers.set(`s${id}`, testCaller({ id, username, role, group }))
    const headers = { cookie: `session=s${id}`, 'new-api-user': String(id) }
    const from = `10.8.${Math.floor(users / 250)}.${users % 250}`
    return {
      id,
      call(method, path, body) {
        turn += 1
        return callApi((nodes[turn % 2] ?? first).api, method, path, { headers, body, from })
      },
    }
  }

  return {
    state,
    events,
    logged,
    secrets,
    nodes,
    set: (changes: Partial<Record<OptionKey, unknown>>): void => void Object.assign(values, changes),
    user: (group?: string, balance?: number) => createUser(1, group, balance),
    admin: () => createUser(10),
    root: () => createUser(100),
    /** Calls as a machine without an account. */
    stranger: (method: string, path: string, body?: string) => {
      turn += 1
      return callApi((nodes[turn % 2] ?? first).api, method, path, body === undefined ? {} : { body })
    },
    async balance(userId: number): Promise<number> {
      const row = database.query.selectFrom('users').select('quota').where('id', '=', userId)
      return (await row.executeTakeFirstOrThrow()).quota
    },
    entries: (userId: number) =>
      database.query
        .selectFrom('ledger_entries')
        .select(['movement', 'amount', 'reason'])
        .where('account', '=', 'user')
        .where('account_id', '=', userId)
        .where('reason', '!=', 'opening')
        .orderBy('id')
        .execute(),
    /** Differences between balances and the sums of their entries; normally none. */
    differences: async () => (await verifyLedger(database)).differences,
    traces: () => database.query.selectFrom('audit').selectAll().orderBy('id').execute(),
    close: async () => {
      for (const close of closers) await close()
    },
  }
}

export type WalletSite = Awaited<ReturnType<typeof openWalletSite>>
