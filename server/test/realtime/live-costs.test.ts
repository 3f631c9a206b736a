import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { describeWithDatabase } from '../support/db/databases.ts'
import { type LedgerGateway, openLedgerGateway } from '../support/gateway/ledger-listener.ts'
import { openTestLive, said, type TestLive, turnEnd } from '../support/gateway/live.ts'
import { until } from '../support/gateway/scene.ts'
import { testChannel } from '../support/relay/ports.ts'

/** Gemini Live with the cost of each turn in its `usageMetadata`: their sum is the movement of the session. */

const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const model = 'gemini-live'

type Message = Readonly<Record<string, unknown>>

interface Figures {
  readonly cost?: number
  readonly receipt?: string
  readonly totalTokenCount?: number
}

const sound = said(Buffer.alloc(4800))
const report = (read: number, spoken: number): Message => ({
  promptTokenCount: read,
  responseTokenCount: spoken,
  totalTokenCount: read + spoken,
})
const complete = { serverContent: { turnComplete: true } }

describeWithDatabase('the cost of a turn of Gemini Live', (open) => {
  let upstream: TestLive
  let site: LedgerGateway
  beforeAll(async () => {
    upstream = await openTestLive()
    site = await openLedgerGateway(await open(), { balance: 1_000_000_000 })
    const channel = { id: 0, type: 24, baseUrl: upstream.url, keys: ['upstream-key'], models: new Set([model]) }
    site.gateway.parts.channels.list.splice(0, Number.POSITIVE_INFINITY, testChannel(channel))
  })
  afterAll(async () => {
    await site.close()
    await upstream.close()
  })

  /** Says these messages; returns what the client got and what the session moved. */
  const have = async (messages: readonly Message[], headers: Readonly<Record<string, string>>) => {
    const before = await site.balances()
    const socket = new WebSocket(site.gateway.url.replace('http', 'ws') + path, {
      headers: { 'x-goog-api-key': 'sk-good', ...headers },
    })
    const texts: string[] = []
    const isBinary: boolean[] = []
    socket.on('message', (data, binary) => {
      texts.push(data.toString())
      isBinary.push(binary)
    })
    await once(socket, 'open')
    socket.send(JSON.stringify({ setup: { model: `models/${model}` } }))
    await until(() => texts.length === 1)
    upstream.sessions.at(-1)?.say(...messages)
    await until(() => texts.length === messages.length + 1)
    socket.close(1000)
    const moved = before.user - (await site.balances()).user
    const figures = texts.slice(1).map((text) => (JSON.parse(text).usageMetadata ?? {}) as Figures)
    const units = figures.reduce((sum, { cost = 0 }) => sum + Math.round(cost * 500_000), 0)
    return { texts: texts.slice(1), figures, units, moved, isBinary }
  }

  const asking = { 'x-tollgate-include-cost': 'true' }

  it('stands beside its report, and the sum is the movement', async () => {
    const { figures, units, moved, isBinary } = await have([sound, turnEnd, sound, turnEnd], asking)
    expect(figures.map(({ cost }) => cost !== undefined)).toEqual([false, true, false, true])
    expect(figures[1]).toMatchObject({ totalTokenCount: 477 })
    expect(moved).toBeGreaterThan(0)
    expect(units).toBe(moved)
    expect(isBinary.every(Boolean)).toBe(true)
    const receipt = figures[1]?.receipt ?? ''
    const headers = { authorization: 'Bearer sk-good' }
    expect((await fetch(`${site.gateway.url}/v1/receipts/${receipt}`, { headers })).status).toBe(200)
  })

  it('is said once per turn: where a report comes before the end of its turn, at the end, with the report', async () => {
    const early = { usageMetadata: { ...report(100, 5), cost: 9 } }
    const { figures, units, moved } = await have([sound, early, { usageMetadata: report(100, 20) }, complete], asking)
    expect(figures.map(({ cost }) => cost !== undefined)).toEqual([false, false, false, true])
    expect(figures[3]).toMatchObject({ totalTokenCount: 120 })
    expect(units).toBe(moved)
  })

  it('stands in a report that comes behind its turn, and turns without a report wait for the next', async () => {
    const { figures, units, moved } = await have(
      [sound, complete, { usageMetadata: report(200, 10) }, sound, complete, sound, turnEnd],
      asking,
    )
    expect(figures.map(({ cost }) => cost !== undefined)).toEqual([false, false, true, false, false, false, true])
    expect(units).toBe(moved)
  })

  it('is left out of a session that did not ask, whose bytes stay as they came', async () => {
    const messages = [sound, turnEnd]
    expect((await have(messages, {})).texts).toEqual(messages.map((message) => JSON.stringify(message)))
  })
})
