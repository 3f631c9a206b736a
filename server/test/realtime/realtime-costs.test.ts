import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dollarsOf } from '../../src/billing/amounts/amount-text.ts'
import { decimal } from '../../src/billing/decimal.ts'
import type { Price } from '../../src/billing/price.ts'
import { listPrice, priceOf } from '../support/billing/price.ts'
import { describeWithDatabase } from '../support/db/databases.ts'
import { type LedgerGateway, openLedgerGateway } from '../support/gateway/ledger-listener.ts'
import {
  openSession,
  openTestRealtime,
  responseCreated,
  responseDone,
  type TestRealtime,
} from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { usage } from '../support/gateway/sessions.ts'
import { testChannel } from '../support/relay/ports.ts'

/** GET /v1/realtime with the cost of each turn in its events: their sum is the movement of the session. */

const asking = { headers: { 'x-tollgate-include-cost': 'true' } }

interface Figures {
  readonly cost?: number
  readonly receipt?: string
}

type Event = Readonly<Record<string, unknown>>

const figuresOf = (event: Event): Figures =>
  (event.usage ?? (event.response as Event | undefined)?.usage ?? {}) as Figures

const unitsOf = (events: readonly Event[]): number =>
  events.reduce((sum, event) => sum + Math.round((figuresOf(event).cost ?? 0) * 500_000), 0)

describeWithDatabase('the cost of a turn', (open) => {
  let upstream: TestRealtime
  let site: LedgerGateway
  let price: Price = priceOf('gpt-4o')
  beforeAll(async () => {
    upstream = await openTestRealtime()
    site = await openLedgerGateway(await open(), {
      balance: 1_000_000_000,
      relay: { prices: { of: () => price } },
    })
    site.gateway.parts.channels.list.splice(0, Number.POSITIVE_INFINITY, testChannel({ id: 0, baseUrl: upstream.url }))
  })
  afterAll(async () => {
    await site.close()
    await upstream.close()
  })

  /** Says these events, and returns those that the client got and what the session moved. */
  const have = async (said: readonly Event[], more: Parameters<typeof openSession>[1] = asking) => {
    const before = await site.balances()
    const client = await openSession(site.gateway.url, more)
    await client.next('session.created')
    const session = upstream.sessions.at(-1)
    session?.say(...said)
    await until(() => client.events.length === said.length + 1)
    client.socket.close(1000)
    const moved = before.user - (await site.balances()).user
    return { events: client.events, texts: client.texts, moved }
  }

  it('stands in the usage of its response, and the sum is the movement', async () => {
    price = priceOf('gpt-4o')
    const turns = [1, 2, 3].flatMap((id) => [responseCreated(`${id}`), responseDone(usage, `${id}`)])
    const { events, moved } = await have(turns)
    const told = events.filter(({ type }) => type === 'response.done').map(figuresOf)
    // gpt-4o: 1.25 × (in 100, cached 40 × 0.5, sound 60, out (30 + 70) × 4) = 725; by hand.
    expect(told.map(({ cost }) => cost)).toEqual([0.00145, 0.00145, 0.00145])
    expect(moved).toBe(2175)
    expect(unitsOf(events)).toBe(moved)
    const [{ receipt = '' } = {}] = told
    const response = await fetch(`${site.gateway.url}/v1/receipts/${receipt}`, {
      headers: { authorization: 'Bearer sk-good' },
    })
    const signed = (await response.json()) as { receipt: { cost: string } }
    expect(signed.receipt.cost).toBe(dollarsOf({ quota: moved, quota_per_unit: '500000' }))
  })

  it('is left out of a session that did not ask, whose bytes stay as they came', async () => {
    const stated = responseDone({ ...usage, cost: 5, receipt: 'inner' })
    const { events, texts } = await have([responseCreated(), stated], {})
    expect(texts.at(-1)).toBe(JSON.stringify(stated))
    expect(figuresOf(events.at(-1) ?? {}).cost).toBe(5)
  })

  it('replaces what the provider states', async () => {
    const { events } = await have([responseCreated(), responseDone({ ...usage, cost: 5, receipt: 'inner' })])
    expect(figuresOf(events.at(-1) ?? {})).toMatchObject({ cost: 0.00145 })
    expect(figuresOf(events.at(-1) ?? {}).receipt).not.toBe('inner')
  })

  it('is asked for by the key, too', async () => {
    const token = site.gateway.tokens.get('good')
    if (token === undefined) throw new Error('no key')
    site.gateway.tokens.set('telling', { ...token, includeCost: true })
    const { events } = await have([responseCreated(), responseDone(usage)], { key: 'sk-telling' })
    expect(figuresOf(events.at(-1) ?? {}).cost).toBe(0.00145)
  })

  it('is the price of a call in the first turn alone', async () => {
    price = { ...priceOf('gpt-4o'), perCall: decimal('0.1') }
    const turns = [responseCreated('1'), responseDone(usage, '1'), responseCreated('2'), responseDone(usage, '2')]
    const { events, moved } = await have(turns)
    expect(events.filter(({ type }) => type === 'response.done').map((event) => figuresOf(event).cost)).toEqual([
      0.1, 0,
    ])
    expect(moved).toBe(50_000)
  })

  it('is the movement in random sessions: responses with and without a report, failed ones and transcripts', async () => {
    const count = fc.nat(3000)
    const report = fc.tuple(count, count, count, count).map(([text, sound, output, spoken]) => ({
      total_tokens: text + sound + output + spoken,
      input_tokens: text + sound,
      output_tokens: output + spoken,
      input_token_details: { text_tokens: text, audio_tokens: sound, cached_tokens: 0 },
      output_token_details: { text_tokens: output, audio_tokens: spoken },
    }))
    const turn = fc.oneof(
      {
        weight: 4,
        arbitrary: report.map((each) => ({ said: '', report: each as object | null, status: 'completed' })),
      },
      {
        weight: 2,
        arbitrary: fc.string({ maxLength: 300 }).map((said) => ({ said, report: null, status: 'completed' })),
      },
      { weight: 1, arbitrary: fc.constant({ said: '', report: null, status: 'failed' }) },
    )
    const sessions = fc.tuple(
      fc.array(turn, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(
        priceOf('gpt-4o'),
        listPrice({ input: 0.0137, output: 0.0711 }),
        listPrice({ input: 3, output: 15 }),
      ),
      fc.boolean(),
    )
    await fc.assert(
      fc.asyncProperty(sessions, async ([turns, its, transcribed]) => {
        price = its
        const said = turns.flatMap(({ said: text, report: each, status }, at) => [
          ...(transcribed
            ? [
                {
                  type: 'conversation.item.input_audio_transcription.completed',
                  item_id: `item_${at}`,
                  content_index: 0,
                  transcript: 'hi',
                  usage: { type: 'tokens', input_tokens: 14, output_tokens: 3, total_tokens: 17 },
                },
              ]
            : []),
          responseCreated(`${at}`),
          ...(text === '' ? [] : [{ type: 'response.output_text.delta', response_id: `${at}`, delta: text }]),
          {
            type: 'response.done',
            response: { id: `${at}`, object: 'realtime.response', status, output: [], usage: each },
          },
        ])
        const { events, moved } = await have(said)
        expect(events.slice(1).map(({ type }) => type)).toEqual(said.map(({ type }) => type))
        expect(unitsOf(events)).toBe(moved)
      }),
      { numRuns: 15 },
    )
  }, 300_000)
})
