import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import {
  bounded,
  burst,
  type ClientName,
  clients,
  completions,
  countOf,
  type Got,
  last,
  overHttp,
  overSocket,
  pairs,
  texts,
  tokens,
  type UpstreamName,
  upstreams,
  wholeIn,
} from '../../../test/support/gateway/bursts.ts'
import { type LedgerGateway, openLedgerGateway } from '../../../test/support/gateway/ledger-listener.ts'
import { maybe, openPayers, type Payers, payerLimits } from '../../../test/support/gateway/payers.ts'
import { openTestLimiter } from '../../../test/support/limits/limiter.ts'
import { testChannel, testOptions } from '../../../test/support/relay/ports.ts'
import type { Database } from '../../db/database.ts'
import { verifyLedger } from '../../ledger/verify/verify.ts'

/**
 * Calls of one key at once, whole or in bursts, that a balance, a limit of the key, caps of its member and project, or a limit of tokens
 * or money stops. A client that gets an error and no answer pays nothing, one that gets the whole answer pays exactly for it, and
 * what the clients pay is what the balances have lost. A completion token costs 5 units.
 */

const runs = fc.record({
  pair: fc.constantFrom(...pairs),
  /** Whole answers where it is false. */
  streams: fc.boolean(),
  calls: fc.integer({ min: 1, max: 3 }),
  ...payerLimits,
  max: maybe(fc.integer({ min: 1, max: 5000 })),
  overdraft: fc.constantFrom(0, 3000),
  cuts: fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 4 }),
  resets: fc.boolean(),
  /** Events after which a stream breaks off. */
  most: maybe(fc.integer({ min: 0, max: 5 })),
  checked: fc.boolean(),
})
type LimitedRun = typeof runs extends fc.Arbitrary<infer Value> ? Value : never

/** Runs that reach both sides for certain: three calls that nothing stops, and three that nothing can pay. */
const unlimited: LimitedRun = {
  pair: ['chat', 'chat'],
  streams: false,
  calls: 3,
  balance: 1_000_000,
  remain: undefined,
  max: undefined,
  memberCap: undefined,
  projectCap: undefined,
  limit: undefined,
  overdraft: 0,
  cuts: [],
  resets: false,
  most: undefined,
  checked: false,
}
const sides: [LimitedRun][] = [unlimited, { ...unlimited, streams: true }].flatMap((run) => [
  [run],
  [{ ...run, balance: 0 }],
])

/** An answer or an event that says that the call has failed. */
const failure = /"error": ?\{|event: error|"type": ?"error"/

const wholePath = (client: ClientName): string =>
  client === 'gemini' ? '/v1beta/models/gpt-4o:generateContent' : clients[client].path

const ask = (url: string, key: string, client: ClientName, run: LimitedRun): Promise<Got> => {
  const { path, body } = clients[client]
  const asked = { ...body, ...bounded(client, run.max) }
  // A client that cannot pay gets no socket.
  if (client === 'socket') return overSocket(url, key, asked).catch(() => ({ status: 403, id: '', text: '' }))
  return run.streams
    ? overHttp(url, key, path, asked)
    : overHttp(url, key, wholePath(client), { ...asked, ...('stream' in asked && { stream: false }) })
}

describeEachEngine('calls that something limits', (openDatabase) => {
  const limiter = openTestLimiter([])
  let database: Database
  let scene: LedgerGateway
  let payers: Payers
  let written = 0

  beforeAll(async () => {
    database = await openDatabase()
    scene = await openLedgerGateway(database, { balance: 0, relay: { callLimits: limiter } })
    payers = openPayers(database, scene, limiter)
    written = await scene.gateway.parts.counter.text('gpt-4o', texts.join(''))
  })
  afterAll(() => scene.close())

  /** Expected charge of a complete answer: the reported usage, or our count where the report exceeds the requested maximum. */
  const expectExact = (charged: number, run: LimitedRun): void => {
    const isBelieved = run.max === undefined || run.max >= tokens
    const counted = charged - 5 * written
    // The prompt is 9 tokens by the report, and some more by our count.
    if (isBelieved && !run.resets && run.most === undefined) expect(charged).toBe(5 * tokens + 11)
    else if (charged !== 5 * tokens + 11) {
      expect(counted).toBeGreaterThanOrEqual(10)
      expect(counted).toBeLessThanOrEqual(40)
    }
  }

  it('are delivered or free, and add up', { timeout: 170_000 }, async () => {
    const { upstream, gateway } = scene
    let whole = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const [client, name] = run.pair as [ClientName, UpstreamName]
        const sender = client === 'completions' ? completions : upstreams[name]
        const streams = run.streams || client === 'socket'
        const channel = testChannel({ id: 0, type: sender.type, baseUrl: upstream.url })
        gateway.parts.channels.list.splice(0, 1, channel)
        upstream.answer = (streams ? burst : wholeIn)(sender, run.cuts, run.resets, run.most)
        const answerCheck = run.checked ? { words: ['never said'], stop: true, hold: 3 } : undefined
        gateway.parts.settings = { ...testOptions, overdraft: run.overdraft, ...(answerCheck && { answerCheck }) }
        const payer = await payers.payer(run)

        const got = await Promise.all(Array.from({ length: run.calls }, () => ask(gateway.url, payer.key, client, run)))
        const logs = await payer.charges()
        const paid = logs.reduce((sum, { quota }) => sum + quota, 0)
        for (const { status, id, text } of got) {
          if (client === 'socket' && run.calls > 1) continue
          const charged = client === 'socket' ? paid : (logs.find(({ request_id: of }) => of === id)?.quota ?? 0)
          const words = countOf(text, 'word ')
          const isWhole = text.includes(last) && !failure.test(text)
          if (status >= 400 || words === 0) expect(charged).toBe(0)
          else if (isWhole) expectExact(charged, run)
          else {
            // Delivered tokens are charged: a word is a token, or a little more, and the prompt is a few.
            expect(charged).toBeGreaterThanOrEqual(5 * words - 5 * 50)
            expect(charged).toBeLessThanOrEqual(words * 6 + 200)
          }
          if (isWhole) whole += 1
          if (status >= 400) refused += 1
        }

        await payer.expectBooks(logs)
      }),
      { numRuns: database.engine === 'sqlite' ? 300 : 60, examples: sides },
    )
    // The runs reach both sides.
    expect(Math.min(whole, refused)).toBeGreaterThan(5)
    expect((await verifyLedger(database)).differences).toEqual([])
  })
})
