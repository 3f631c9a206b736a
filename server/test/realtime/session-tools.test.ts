import type { Receipt } from '@tollgate/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimal } from '../../src/billing/decimal.ts'
import { dearestTool } from '../../src/billing/declared/hosted-tools.ts'
import { tierFactor } from '../../src/billing/declared/tiers.ts'
import { priceOf } from '../support/billing/price.ts'
import { openSession, responseCreated, responseDone } from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { gateway, record, records, reopen, upstream, useSessions } from '../support/gateway/sessions.ts'
import { openTestHolds, testPrices } from '../support/relay/ports.ts'

/** Tools and tiers of the provider in sessions: what is held for them, and what they cost. */

useSessions()

const price = { ...priceOf('gpt-4o'), tools: { web_search: 10 } }
/** Quota units of one call: 10 dollars a thousand. */
const oneSearch = 5000
const oneUnknown = (dearestTool(price) / 1000) * 500_000

const some = { total_tokens: 30, input_tokens: 10, output_tokens: 20 }
const received = (): string[] => upstream.sessions[0]?.received ?? []
const types = (): unknown[] => received().map((text) => (JSON.parse(text) as { type: string }).type)
const held = (): number =>
  gateway.parts.holds.ends.reduce((sum, { end, amount }) => (end === 'held' ? sum + amount : sum), 0)

describe('tools that a client offers later', () => {
  it.each([
    ['for the session', 'web_search', oneSearch, (tools: object[]) => ({ type: 'session.update', session: { tools } })],
    [
      'for a response',
      'web_search',
      oneSearch,
      (tools: object[]) => ({ type: 'response.create', response: { tools } }),
    ],
    [
      'that no table knows',
      'psychic',
      oneUnknown,
      (tools: object[]) => ({ type: 'session.update', session: { tools } }),
    ],
  ])('are held for before they reach the provider: %s', async (_, type, each, event) => {
    await reopen({ prices: testPrices(price) })
    const client = await openSession(gateway.url)
    const before = held()
    client.say(event([{ type }]))
    await until(() => received().length === 1)
    expect(held()).toBe(before + each)
    client.socket.close(1000)
    await record()
    expect(held()).toBe(0)
  })

  it('are refused where nobody can pay for them, and the session goes on in order', async () => {
    await reopen({ prices: testPrices(price), holds: openTestHolds(oneUnknown - 1) })
    const client = await openSession(gateway.url)
    client.say(
      { type: 'input_audio_buffer.clear' },
      { type: 'session.update', event_id: 'e1', session: { tools: [{ type: 'psychic' }] } },
      { type: 'response.create', event_id: 'e2', response: { tools: [{ type: 'function', name: 'own' }] } },
    )
    expect(await client.next('error')).toMatchObject({ error: { event_id: 'e1', code: 'insufficient_user_quota' } })
    await until(() => received().length === 2)
    expect(types()).toEqual(['input_audio_buffer.clear', 'response.create'])
    client.socket.close(1000)
    await record()
  })

  it('are held for where the settings of a key for browsers offer them', async () => {
    await reopen({ prices: testPrices(price), holds: openTestHolds(oneUnknown - 1) })
    const made = await fetch(`${gateway.url}/v1/realtime/client_secrets`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify({ session: { type: 'realtime', model: 'gpt-realtime', tools: [{ type: 'psychic' }] } }),
    })
    const { value } = (await made.json()) as { value: string }
    await expect(
      openSession(gateway.url, { query: '', headers: { authorization: `Bearer ${value}` }, key: '' }),
    ).rejects.toThrow()
  })
})

const chargeOf = async (...events: readonly Readonly<Record<string, unknown>>[]): Promise<Receipt> => {
  await reopen({ prices: testPrices(price) })
  upstream.sessions.splice(0)
  const client = await openSession(gateway.url)
  upstream.sessions[0]?.say(...events, { type: 'the.end' })
  await client.next('the.end')
  client.socket.close(1000)
  await record()
  const { receipt } = records()[0] ?? {}
  if (receipt === undefined) throw new Error('not charged')
  return receipt
}

const doneWith = (response: object, id = 'r') => ({
  type: 'response.done',
  response: { id, status: 'completed', usage: some, ...response },
})

describe('calls of tools', () => {
  const search = { type: 'web_search_call', status: 'completed', action: { type: 'search' } }
  const odd = { type: 'psychic_call', status: 'completed' }

  it('cost what they do elsewhere, and one that no table knows its dearest, marked', async () => {
    const { tools, provisional } = await chargeOf(responseCreated('r'), doneWith({ output: [search, odd] }))
    expect(tools).toEqual([
      { tool: 'web_search', quantity: 1, price: '10' },
      { tool: 'psychic', quantity: 1, price: String(dearestTool(price)) },
    ])
    expect(provisional).toEqual([{ kind: 'tool', place: 'openai', name: 'psychic', value: 1, quantity: 1 }])
  })

  it('count where they are seen before the end alone, also of a response that does not end', async () => {
    const item = (response: string) => ({ type: 'response.output_item.done', response_id: response, item: search })
    const { tools } = await chargeOf(
      responseCreated('r'),
      item('r'),
      item('r'),
      doneWith({ output: [] }),
      responseCreated('s'),
      { type: 'response.output_text.delta', response_id: 's', delta: 'word' },
      item('s'),
    )
    expect(tools).toEqual([{ tool: 'web_search', quantity: 3, price: '10' }])
  })

  it('count as the report says, beside the response or in it', async () => {
    const counted = { ...some, server_side_tool_usage_details: { web_search_calls: 2 } }
    for (const done of [
      doneWith({ usage: counted, output: [search] }),
      { ...doneWith({ usage: null, output: [search] }), usage: counted },
    ])
      expect((await chargeOf(responseCreated('r'), done)).tools).toEqual([
        { tool: 'web_search', quantity: 2, price: '10' },
      ])
  })
})

const tiers = { priority: 1.75 }
const tierNames = ['default', 'priority', 'warp', 'flex']
const factorOf = (tier: string): number => (tier === 'default' ? 1 : tierFactor(tier, { ...price, tiers }).ratio)

describe('the tier that a response states', () => {
  it('is the price of its tokens alone, and an unknown one is marked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...tierNames), fc.boolean()), { minLength: 1, maxLength: 5 }),
        async (turns) => {
          await reopen({ prices: testPrices({ ...price, unit: decimal(100), tiers }) })
          const client = await openSession(gateway.url)
          const events = turns.flatMap(([service_tier, inUsage], index) => [
            responseCreated(String(index)),
            inUsage
              ? doneWith({ usage: { ...some, service_tier } }, String(index))
              : doneWith({ service_tier }, String(index)),
          ])
          upstream.sessions[0]?.say(...events, { type: 'the.end' })
          await client.next('the.end')
          client.socket.close(1000)
          await record()
          const { quota, receipt } = records()[0] ?? {}
          const due = turns.reduce((sum, [tier]) => sum + (10 + 20 * 4) * 100 * factorOf(tier), 0)
          expect(quota).toBe(Math.round(due))
          const marked = (receipt?.provisional ?? []).map(({ kind, name }) => `${kind} ${name}`)
          expect(marked.includes('tier warp')).toBe(turns.some(([tier]) => tier === 'warp'))
          for (const { model } of receipt?.models ?? []) expect(model).toBe('gpt-realtime')
          upstream.sessions.splice(0)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('counts where the response reports no usage', async () => {
    const { tier } = await chargeOf(
      responseCreated('r'),
      { type: 'response.output_text.delta', response_id: 'r', delta: 'some words' },
      { ...responseDone(null, 'r'), response: { id: 'r', service_tier: 'warp' } },
    )
    expect(tier?.name).toBe('warp')
  })
})
