import { type OptionKey, options as registry, writeLogText } from '@tollgate/contract'
import type { JoinedModule, ModuleKit } from '../../../src/app/modules/module-kit.ts'
import type { Database } from '../../../src/db/database.ts'
import { openAudit } from '../../../src/features/audit/audit.ts'
import { topUpEvents } from '../../../src/features/logs/events.ts'
import type { OptionSnapshot } from '../../../src/features/options/snapshot.ts'
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

/** Parts of the kit for what adds to balances. */
export type WalletTestKit = Pick<
  ModuleKit,
  'database' | 'secrets' | 'audit' | 'clock' | 'log' | 'redis' | 'primary' | 'operatorEgress' | 'on' | 'recordEvent'
> & {
  readonly ledger: Pick<ModuleKit['ledger'], 'movements'>
  readonly options: Pick<ModuleKit['options'], 'get' | 'snapshot'>
}

const fallbacks = (): Record<string, unknown> =>
  Object.fromEntries(Object.entries(registry).map(([key, option]) => [key, option.fallback]))

/**
 * Top-ups on two nodes over one database, each with a ledger of its own; the clock moves by hand. `joinMore` adds to each node, and
 * answers how that ends.
 */
export const openWalletSite = async (
  database: Database,
  joinMore?: (kit: WalletTestKit) => Promise<Pick<JoinedModule, 'close'>>,
) => {
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
    const kit: WalletTestKit = {
      database,
      secrets,
      audit,
      clock,
      log,
      redis: undefined,
      primary: undefined,
      operatorEgress: createEgressGuard({ allow: [], operator: true }),
      ledger,
      options: { get: <Key extends OptionKey>(key: Key) => snapshot()[key], snapshot },
      on: api.on,
      async recordEvent({ text, userId, username, type }) {
        events.push({ userId, username, type, content: writeLogText({ ...text, unit: perUnit }, 'zh') ?? '' })
      },
    }
    const more = await joinMore?.(kit)
    const closeWallet = joinWallet(kit, {
      writeEvent: topUpEvents(kit.recordEvent, log),
      amountText: (quota) => `＄${(quota / perUnit).toFixed(6)} 额度`,
    })
    const close = async (): Promise<void> => {
      await closeWallet()
      await more?.close?.()
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
