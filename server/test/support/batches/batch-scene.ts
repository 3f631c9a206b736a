import { defaultTierRatios } from '@tollgate/contract/prices'
import { openShippedBook } from '../../../src/billing/book/shipped-book.ts'
import { decimal } from '../../../src/billing/decimal.ts'
import type { PriceBook } from '../../../src/billing/prices.ts'
import type { Database } from '../../../src/db/database.ts'
import { openBatchPoll } from '../../../src/features/batches/poll.ts'
import { type BatchStore, openBatchStore } from '../../../src/features/batches/store.ts'
import { verifyLedger } from '../../../src/ledger/verify/verify.ts'
import type { CallLimits } from '../../../src/limits/call-limits.ts'
import { openBatchCalls } from '../../../src/relay/batches/batch-calls.ts'
import { openBatchSettling } from '../../../src/relay/batches/settle-batches.ts'
import type { MadeObjects } from '../../../src/relay/direct/ports.ts'
import type { RelayChannel } from '../../../src/relay/ports.ts'
import { openHeldJobs } from '../../../src/relay/provider-jobs/held-jobs.ts'
import { openHolding } from '../../../src/relay/provider-jobs/holding.ts'
import { openUndiciUpstream } from '../../../src/relay/upstream/upstream-undici.ts'
import { bookWith } from '../billing/price.ts'
import { openTestGateway, testToken, testUser } from '../gateway/listener.ts'
import { newJournalDirectory, newToken, newUser, openTestLedger } from '../ledger/ledger.ts'
import { openTestChannels, openTestRelay, testChannel, testMadeObjects } from '../relay/ports.ts'
import { type BatchProvider, openBatchProvider } from './batch-provider.ts'

let book: PriceBook | undefined

/** Scenes of one database follow each other in time. */
let latest = Date.now()

/** The prices of the shipped lists, as a new installation has them. */
export const shippedPrices = async (): Promise<PriceBook> => {
  book ??= bookWith({ modelRatio: {}, modelPrice: {}, tierRatios: defaultTierRatios, list: await openShippedBook() })
  return book
}

interface NodeParts {
  readonly database: Database
  readonly provider: BatchProvider
  readonly directory: string
  readonly name: string
  readonly user: { readonly id: number; readonly tokenId: number; readonly unlimited: boolean }
  readonly other: { readonly id: number; readonly tokenId: number }
  readonly madeObjects: MadeObjects
  readonly clock: () => number
  readonly changes: Partial<RelayChannel>
  readonly prices: PriceBook
  readonly callLimits: CallLimits | undefined
}

/** One node of a gateway whose channel 7 may be called directly by everybody, with what follows batches. */
const openNode = async (parts: NodeParts) => {
  const { database, provider, directory, name, clock, prices, changes, callLimits } = parts
  const open = await openTestLedger(database, directory)
  const upstream = openUndiciUpstream()
  const { recorder } = openTestRelay({ upstream })
  const own = testChannel({
    id: 7,
    keys: ['sk-account'],
    baseUrl: provider.url,
    passthrough: { groups: new Set(['default']), keys: new Set(), paths: [], shared: false, price: decimal(0.01) },
    ...changes,
  })
  const channels = openTestChannels(own)
  const keyHashOf = (key: string): string => `hash of ${key}`
  const held = openHeldJobs()
  const store: BatchStore = openBatchStore({ database, clock, holder: name })
  const relay = openTestRelay({
    channels,
    recorder: Object.assign(recorder, open.ledger.recorder),
    holds: Object.assign(open.ledger.holds, { ends: [] }),
    prices,
    upstream,
    ...(callLimits === undefined ? {} : { callLimits }),
    madeObjects: parts.madeObjects,
    clock,
  })
  const log: string[] = []
  const common = {
    batches: store,
    held,
    keyHashOf,
    clock,
    log: (event: string, fields: object) => void log.push(`${event} ${JSON.stringify(fields)}`),
  }
  const settling = openBatchSettling({ ...relay, ...common, models: () => relay.settings.models })
  const holding = openHolding({ store, held, holds: open.ledger.holds, clock })
  const poll = openBatchPoll({
    store,
    settling,
    failed(error) {
      throw error
    },
    clock,
  })
  const gateway = await openTestGateway({
    relay,
    gateway: { batchCalls: openBatchCalls({ ...common, settling, prices }) },
  })
  const { user, other } = parts
  gateway.tokens.set('good', {
    ...testToken,
    tokenId: user.tokenId,
    unlimited: user.unlimited,
    user: { ...testUser, id: user.id },
  })
  gateway.tokens.set('ben', {
    ...testToken,
    tokenId: other.tokenId,
    user: { ...testUser, id: other.id, username: 'ben' },
  })
  const call = async (path: string, init: RequestInit & { readonly as?: string } = {}) => {
    const answer = await fetch(`${gateway.url}/p/7${path}`, {
      ...init,
      headers: {
        authorization: `Bearer sk-${init.as ?? 'good'}`,
        ...(typeof init.body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
    })
    const text = await answer.text()
    return { status: answer.status, text }
  }
  return {
    log,
    store,
    directory,
    settling,
    holding,
    poll,
    held,
    ledger: open.ledger,
    get: call,
    post: (path: string, body: unknown, as = 'good') =>
      call(path, { method: 'POST', as, body: body instanceof FormData ? body : JSON.stringify(body) }),
    delete: (path: string) => call(path, { method: 'DELETE' }),
    /** Open holds of this node, in quota units. */
    pending: () => open.ledger.openHolds().quota,
    async settled(): Promise<void> {
      await gateway.listener.over()
      await new Promise(setImmediate)
      await settling.over()
      await open.ledger.flush()
    },
    /** Ends as a crash does: what is held and read is forgotten. */
    async crash(): Promise<void> {
      await gateway.close()
      await settling.close()
      await open.crash()
      await upstream.close()
    },
  }
}

export type BatchNode = Awaited<ReturnType<typeof openNode>>

export interface BatchSceneParts {
  readonly balance?: number
  /** Of the key; it is unlimited when absent. */
  readonly remain?: number
  readonly changes?: Partial<RelayChannel>
  readonly callLimits?: CallLimits
}

/** A provider with batches, its channel, and nodes that share a database. */
export const openBatchScene = async (
  database: Database,
  { balance = 1_000_000_000, remain, changes = {}, callLimits }: BatchSceneParts = {},
) => {
  const provider = await openBatchProvider()
  const prices = await shippedPrices()
  const books = await newJournalDirectory()
  const first = await openTestLedger(database, books.directory)
  const userId = await newUser(database, first.ledger, balance)
  const tokenId = await newToken(database, first.ledger, {
    userId,
    remain: remain ?? 0,
    unlimited: remain === undefined,
  })
  const otherId = await newUser(database, first.ledger, 1_000_000)
  const otherToken = await newToken(database, first.ledger, { userId: otherId, remain: 0, unlimited: true })
  await first.crash()
  const madeObjects = testMadeObjects()
  const nodes: BatchNode[] = []
  const removers = [books.remove]
  let now = latest
  const scene = {
    provider,
    madeObjects,
    userId,
    tokenId,
    later(ms: number): void {
      now += ms
      latest = Math.max(latest, now)
    },
    /** Another node, with a journal of its own unless it is the first. */
    async node(name = 'one', directory?: string): Promise<BatchNode> {
      let own = directory ?? (name === 'one' ? books.directory : undefined)
      if (own === undefined) {
        const more = await newJournalDirectory()
        removers.push(more.remove)
        own = more.directory
      }
      const node = await openNode({
        database,
        provider,
        directory: own,
        name,
        madeObjects,
        changes,
        prices,
        callLimits,
        user: { id: userId, tokenId, unlimited: remain === undefined },
        other: { id: otherId, tokenId: otherToken },
        clock: () => now,
      })
      nodes.push(node)
      return node
    },
    /** The same node after it ended. */
    again: (name: string, { directory }: Pick<BatchNode, 'directory'>): Promise<BatchNode> =>
      scene.node(name, directory),
    /** Charges of the user but those of calls. */
    async charges() {
      const rows = database.query
        .selectFrom('ledger_entries')
        .select(['movement', 'amount', 'detail', 'token_id'])
        .where('account', '=', 'user')
        .where('account_id', '=', userId)
        .where('movement', 'like', 'batch-%')
      return rows.execute()
    },
    logs: () =>
      database.query
        .selectFrom('logs')
        .selectAll()
        .where('user_id', '=', userId)
        .where('request_id', 'like', 'batch-%')
        .execute(),
    quota: async (): Promise<number> =>
      (await database.query.selectFrom('users').select('quota').where('id', '=', userId).executeTakeFirstOrThrow())
        .quota,
    differences: async () => (await verifyLedger(database)).differences,
    async close(): Promise<void> {
      for (const node of nodes) await node.crash().catch(() => {})
      await provider.close()
      for (const remove of removers) await remove()
    },
  }
  return scene
}

export type BatchScene = Awaited<ReturnType<typeof openBatchScene>>
