import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { verifyLedger } from '../../src/ledger/verify/verify.ts'
import { describeEachEngine } from '../support/db/databases.ts'
import { type LedgerGateway, openLedgerGateway } from '../support/gateway/ledger-listener.ts'
import { openPayers, type Payers, payerLimits } from '../support/gateway/payers.ts'
import {
  openScriptedUpstreams,
  type ProtocolName,
  protocols,
  runSession,
  type ScriptedUpstreams,
  sessionCounts,
  sessionScripts,
  sumOfCosts,
} from '../support/gateway/scripted-sessions.ts'
import { openTestLimiter } from '../support/limits/limiter.ts'
import { openTestRelay, testChannel, testOptions } from '../support/relay/ports.ts'

/**
 * Sessions of one key, one or two at once, that a balance, an amount of the key, caps of its member and project, or a limit of tokens or money
 * stops, or whose provider fails, reports nothing or breaks off. Answers that came whole are paid by their report, what came of others by our count,
 * answers that said nothing are free, and what the clients pay is what the balances have lost.
 */

const runs = fc.record({
  name: fc.constantFrom(...(Object.keys(protocols) as ProtocolName[])),
  script: sessionScripts,
  second: sessionCounts,
  overdraft: fc.constantFrom(0, 3000),
  ...payerLimits,
  balance: fc.oneof({ weight: 6, arbitrary: payerLimits.balance }, fc.constant(0)),
})
type LimitedRun = typeof runs extends fc.Arbitrary<infer Run> ? Run : never

/**
 * Runs that reach all ends for certain: a session that nothing stops, one that nothing can pay, one whose questions all end in an error,
 * and one that its provider closes.
 */
const turn = { pieces: 2, opens: false, reports: true, ends: 'done' } as const
const refused = { pieces: 0, opens: false, reports: false, ends: 'errs' } as const
const unlimited: LimitedRun = {
  name: 'realtime',
  script: { turns: [turn], asksAtOnce: false, bursts: false },
  second: undefined,
  overdraft: 0,
  balance: 1_000_000,
  remain: undefined,
  memberCap: undefined,
  projectCap: undefined,
  limit: undefined,
}
const ends: [LimitedRun][] = [
  [unlimited],
  [{ ...unlimited, balance: 0 }],
  [{ ...unlimited, script: { ...unlimited.script, turns: [refused, refused] } }],
  [{ ...unlimited, script: { ...unlimited.script, turns: [{ ...turn, ends: 'cuts' }] } }],
]

describeEachEngine('sessions that something limits', (openDatabase) => {
  const limiter = openTestLimiter([])
  let database: Database
  let scene: LedgerGateway
  let payers: Payers
  let upstreams: ScriptedUpstreams

  beforeAll(async () => {
    database = await openDatabase()
    const { limits } = openTestRelay()
    // No answer is late here.
    const patient = { ...limits, timeouts: { ...limits.timeouts, streamIdle: 60_000, firstByte: 60_000 } }
    scene = await openLedgerGateway(database, { balance: 0, relay: { callLimits: limiter, limits: patient } })
    payers = openPayers(database, scene, limiter)
    upstreams = await openScriptedUpstreams()
  })
  afterAll(async () => {
    await scene.close()
    await upstreams.close()
  })

  it('are delivered or free, and add up', { timeout: 170_000 }, async () => {
    const { gateway } = scene
    const seen = { whole: 0, refused: 0, stopped: 0 }
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const { name, script } = run
        const type = name === 'live' ? { type: 24, keys: ['upstream-key'] } : {}
        gateway.parts.channels.list.splice(0, 1, testChannel({ id: 0, baseUrl: upstreams.urlOf(name), ...type }))
        upstreams.follow(name, script)
        gateway.parts.settings = { ...testOptions, overdraft: run.overdraft }
        const payer = await payers.payer(run)

        const sessions = Array.from({ length: run.second ?? 1 }, () => runSession(gateway.url, payer.key, name, script))
        const got = await Promise.all(sessions)
        const charges = await payer.charges()

        const paid = charges.reduce((sum, { quota }) => sum + quota, 0)
        const { least, most } = sumOfCosts(got.map(({ cost }) => cost))
        // The charge of each session is rounded.
        expect(paid).toBeGreaterThanOrEqual(Math.floor(least) - got.length)
        expect(paid).toBeLessThanOrEqual(Math.ceil(most) + got.length)
        for (const { opened, whole } of got) {
          if (!opened) seen.refused += 1
          else if (whole < script.turns.length) seen.stopped += 1
          else seen.whole += 1
        }
        await payer.expectBooks(charges)
      }),
      { numRuns: database.engine === 'sqlite' ? 150 : 40, examples: ends },
    )
    // The runs reach all ends.
    expect(Math.min(seen.whole, seen.refused, seen.stopped)).toBeGreaterThan(0)
    expect((await verifyLedger(database)).differences).toEqual([])
  })
})
