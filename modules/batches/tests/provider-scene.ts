import { expect } from 'vitest'
import type { Database } from '#server/db/database.ts'
import type { DeadlineCalls } from '#server/gateway/deadlines/deadline-calls.ts'
import type { RelayChannel } from '#server/relay/ports.ts'
import { listPrice } from '#server-test/support/billing/price.ts'
import type { Received } from '#server-test/support/gateway/upstream.ts'
import { testChannel } from '#server-test/support/relay/ports.ts'
import { openBatchScene } from './batch-scene.ts'

/** A dollar is 500,000 quota units: a token of input costs 1 unit, one of output 4, and in batches half of it. */
const price = { ...listPrice({ input: 2, output: 8 }), tiers: { batch: 0.5 } }

/** Tokens of the answer to a text such as `name-3`. */
export const tokensOf = (text: string) => ({ prompt: 100 + Number(text.slice(5)), completion: 50 })

/** Quota units of the answers to texts, each line rounded. */
export const batchCost = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => {
    const { prompt, completion } = tokensOf(text)
    return sum + Math.round((prompt + completion * 4) / 2)
  }, 0)

export const namesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `name-${index}`)

/** A gateway with one channel, whose provider runs batches at a path `below` its address. `remain` is the quota of the key. */
export const openProviderScene = async (
  database: Database,
  answer: (call: Received) => void,
  { deadlines, ...channel }: Partial<RelayChannel> & { readonly deadlines?: DeadlineCalls } = {},
  {
    remain,
    below = '',
    serverAddress,
  }: {
    readonly remain?: number | undefined
    readonly below?: string | undefined
    readonly serverAddress?: string | undefined
  } = {},
) => {
  const batch = await openBatchScene(database, remain, {
    price,
    deadlines,
    serverAddress,
    options: { BatchProviderChannels: ['5'] },
  })
  const { upstream, gateway } = batch.scene
  upstream.answer = answer
  const { channels } = gateway.parts
  if (!('list' in channels) || !Array.isArray(channels.list)) throw new Error('no channels of tests')
  channels.list.splice(0, channels.list.length, testChannel({ id: 5, baseUrl: upstream.url + below, ...channel }))
  const row = () => database.query.selectFrom('provider_batches').selectAll().executeTakeFirst()
  return {
    ...batch,
    row,
    runner: async () => (await database.query.selectFrom('batches').select('runner').executeTakeFirst())?.runner,
    /** Resolves when the provider has the batch. */
    submitted: () => expect.poll(async () => (await row())?.stage, { timeout: 20_000 }).toBe('submitted'),
    /** Moves the clock, so that the provider is asked again, until the batch has ended. */
    ended: () =>
      expect
        .poll(
          async () => {
            batch.pass(40)
            return (await database.query.selectFrom('batches').select('state').executeTakeFirst())?.state
          },
          { timeout: 40_000, interval: 500 },
        )
        .toMatch(/^(completed|failed|cancelled|expired)$/),
    /** Moves the clock, so that the runner looks, until this provider was asked once to end a batch. */
    askedToEnd: (provider: { readonly cancelled: number }) =>
      expect
        .poll(
          () => {
            batch.pass(15)
            return provider.cancelled
          },
          { timeout: 20_000, interval: 500 },
        )
        .toBe(1),
    /** Number and quota of all charges. */
    async charges() {
      await batch.scene.balances()
      const charged = database.query.selectFrom('ledger_entries').selectAll().where('reason', '=', 'charge')
      const rows = await charged.execute()
      return { count: rows.length, quota: rows.reduce((sum, { amount }) => sum - amount, 0) }
    },
  }
}

export type ProviderScene = Awaited<ReturnType<typeof openProviderScene>>
