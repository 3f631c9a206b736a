import { openTokenCounter } from '../../../src/billing/counting/token-counter.ts'
import type { Price } from '../../../src/billing/price.ts'
import type { Database } from '../../../src/db/database.ts'
import { openReceipts } from '../../../src/features/receipts/receipts.ts'
import { openReceiptKeys, type ReceiptKeys } from '../../../src/features/receipts/signing-keys.ts'
import type { DeadlineCalls } from '../../../src/gateway/deadlines/deadline-calls.ts'
import type { ModuleRoute } from '../../../src/gateway/module-calls.ts'
import type { LedgerParts } from '../../../src/ledger/ledger.ts'
import { openSecrets } from '../../../src/lib/security/secrets.ts'
import { newJournalDirectory, newToken, newUser, openTestLedger, type TestLedger } from '../ledger/ledger.ts'
import { openTestChannels, openTestRelay, type TestRelay, testChannel, testPrices } from '../relay/ports.ts'
import { openTestGateway, type TestGateway, testToken, testUser } from './listener.ts'
import { openTestUpstream, type TestUpstream } from './upstream.ts'

/** A gateway over a real ledger and a real token counter, with one user, one key and one scripted upstream, for tests. */
export interface LedgerGateway {
  readonly upstream: TestUpstream
  readonly gateway: TestGateway
  readonly open: TestLedger
  readonly userId: number
  readonly tokenId: number
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** The keys with which it signs receipts. */
  readonly receiptKeys: ReceiptKeys
  /** Quota of the user and of the key when everything is in the database. */
  balances(): Promise<{ readonly user: number; readonly token: number }>
  /** The columns `other` of the user's logs, oldest first. */
  logs(): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export interface LedgerGatewayParts {
  readonly balance: number
  /** Of the key; it is unlimited when absent. */
  readonly remain?: number
  readonly price?: Price
  readonly ledger?: Partial<LedgerParts>
  readonly relay?: Partial<TestRelay>
  /** Calls that modules answer. */
  readonly moduleRoutes?: readonly ModuleRoute[]
  /** Absent where calls have no deadlines. */
  readonly deadlines?: DeadlineCalls | undefined
}

const secrets = openSecrets({ cryptoSecret: 'for tests', keyFile: '' })

/** Shared by all tests of this process: its thread takes a third of a second to read the tokens that it knows. */
const counter = openTokenCounter()

export const openLedgerGateway = async (database: Database, parts: LedgerGatewayParts): Promise<LedgerGateway> => {
  const books = await newJournalDirectory()
  const open = await openTestLedger(database, books.directory, parts.ledger)
  const upstream = await openTestUpstream()
  const userId = await newUser(database, open.ledger, parts.balance)
  const unlimited = parts.remain === undefined
  const tokenId = await newToken(database, open.ledger, { userId, remain: parts.remain ?? 0, unlimited })
  // The memory of tests beside the real ledger, which alone is used.
  const { recorder } = openTestRelay()
  const receiptKeys = openReceiptKeys({ database, secrets, clock: Date.now })
  const gateway = await openTestGateway({
    gateway: {
      receipts: openReceipts({ database, keys: receiptKeys }),
      receiptKeys: receiptKeys.published,
      moduleRoutes: parts.moduleRoutes ?? [],
      chargedAmong: open.ledger.chargedAmong,
      deadlines: parts.deadlines,
    },
    relay: {
      channels: openTestChannels(testChannel({ id: 0, baseUrl: upstream.url })),
      recorder: Object.assign(recorder, open.ledger.recorder),
      holds: Object.assign(open.ledger.holds, { ends: [] }),
      counter,
      prices: testPrices(parts.price),
      ...parts.relay,
    },
  })
  const user = { ...testUser, id: userId }
  gateway.tokens.set('good', { ...testToken, tokenId, unlimited, remainQuota: parts.remain ?? 0, user })
  const settled = async (): Promise<void> => {
    await gateway.listener.over()
    await open.ledger.flush()
  }
  return {
    upstream,
    gateway,
    open,
    userId,
    tokenId,
    receiptKeys,
    post: (path, body, headers = {}) =>
      fetch(gateway.url + path, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    async balances() {
      await settled()
      const user = database.query.selectFrom('users').select('quota').where('id', '=', userId)
      const token = database.query.selectFrom('tokens').select('remain_quota').where('id', '=', tokenId)
      const [{ quota }, { remain_quota: remain }] = await Promise.all([
        user.executeTakeFirstOrThrow(),
        token.executeTakeFirstOrThrow(),
      ])
      return { user: quota, token: remain }
    },
    async logs() {
      await settled()
      const rows = database.query.selectFrom('logs').select('other').where('user_id', '=', userId).orderBy('id')
      return (await rows.execute()).map(({ other }) => JSON.parse(other))
    },
    async close() {
      await gateway.close()
      await upstream.close()
      await open.crash()
      await books.remove()
    },
  }
}
