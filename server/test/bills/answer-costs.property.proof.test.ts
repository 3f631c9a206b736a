import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { dollarsOf } from '../../src/billing/amounts/dollars.ts'
import type { Database } from '../../src/db/database.ts'
import { gatewayCostIn, type Stated } from '../support/answer-costs/stated.ts'
import { type AnswerPlan, answerPlanned } from '../support/answer-costs/upstream.ts'
import { listPrice, priceOf } from '../support/billing/price.ts'
import { describeEachEngine } from '../support/db/databases.ts'
import { type LedgerGateway, openLedgerGateway } from '../support/gateway/ledger-listener.ts'
import { seeded } from '../support/ledger/chance.ts'
import { openTestChannels, testChannel } from '../support/relay/ports.ts'

/**
 * Random calls through a real gateway over a real ledger: kinds × dialects × providers × prices × streams × how they end. The sum of the
 * costs in the answers is the sum of the movements, to the unit. `ANSWER_COST_CALLS` says how many calls, on each engine.
 */

const calls = Number(process.env.ANSWER_COST_CALLS ?? 240)
const together = Number(process.env.ANSWER_COST_TOGETHER ?? 8)
const unitsPerDollar = 500_000

/** Ratios, lists in dollars, a price per call, tools and tiers of uneven figures, and nothing. */
const prices = [
  priceOf('gpt-4o'),
  listPrice({ input: 3, cache_read: 0.3, output: 15 }),
  listPrice({ input: 0.0137, output: 0.0711 }),
  listPrice({ input: 0, output: 0 }),
  priceOf('gpt-4o', { modelPrice: { 'gpt-4o': 0.0123457 } }),
  priceOf('gpt-4o', { groupRatio: { default: 1.37 } }),
  priceOf('gpt-4o', { groupRatio: { default: 0 } }),
  priceOf('tts-1'),
]

interface PlannedCall extends AnswerPlan {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly socket: boolean
  /** How its client asks: by a header, by its key, or not at all. */
  readonly asks: 'header' | 'key' | 'no'
  /** After how many bytes its client leaves; undefined for one that stays. */
  readonly leavesAt: number | undefined
}

const makers = ['openai', 'claude', 'gemini'] as const

const planned = (number: number, random: () => number): PlannedCall => {
  const below = (limit: number): number => Math.floor(random() * limit)
  const of = <T>(...all: readonly [T, ...T[]]): T => all[below(all.length)] ?? all[0]
  const model = `${of(...makers)}-${below(prices.length)}`
  const text = `say #${number}#`
  const stream = random() < 0.5
  const chat = { model, messages: [{ role: 'user', content: text }], stream }
  const contents = { contents: [{ role: 'user', parts: [{ text }] }] }
  const usage = random() < 0.5 ? { stream_options: { include_usage: true } } : {}
  const openaiModel = model.replace(/^\w+/, 'openai')
  const kinds: readonly (readonly [string, Record<string, unknown>, boolean?])[] = [
    ['/v1/chat/completions', { ...chat, ...(stream ? usage : {}) }],
    ['/v1/messages', { ...chat, max_tokens: 2000 }],
    ['/v1/responses', { model, input: text, stream }],
    ['/v1/responses', { model, input: text, store: false }, true],
    [`/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`, contents],
    [`/v1beta/models/${model}:streamGenerateContent`, contents],
    ['/v1/completions', { model: openaiModel, prompt: text, stream }],
    ['/v1/embeddings', { model: openaiModel, input: text }],
    ['/v1/rerank', { model: openaiModel, query: text, documents: ['a'] }],
    ['/v2/rerank', { model: openaiModel, query: text, documents: ['a'] }],
    ['/v1/moderations', { model: openaiModel, input: text }],
    ['/v1/images/generations', { model: openaiModel, prompt: text }],
    ['/v1/audio/speech', { model: openaiModel, input: text, voice: 'alloy' }],
    [
      `/model/${model}/${stream ? 'converse-stream' : 'converse'}`,
      { messages: [{ role: 'user', content: [{ text }] }] },
    ],
  ]
  const [path, body, socket = false] = kinds[below(kinds.length)] ?? ['', {}]
  return {
    path,
    body,
    socket,
    input: below(random() < 0.1 ? 9000 : 300),
    output: 1 + below(random() < 0.1 ? 3000 : 200),
    report: of('plain', 'plain', 'silent', 'unknown', 'stated'),
    end: of('done', 'done', 'done', 'done', 'cut', 'fault', 'refused'),
    pieces: 1 + below(4),
    asks: of('header', 'header', 'key', 'no'),
    leavesAt: random() < 0.06 ? below(600) : undefined,
  }
}

const overHttp = async (site: LedgerGateway, call: PlannedCall, headers: Record<string, string>): Promise<Stated> => {
  const leaving = new AbortController()
  let text = ''
  let heads: Headers | undefined
  try {
    const asked = request(site.gateway.url + call.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      signal: leaving.signal,
    })
    asked.end(JSON.stringify(call.body))
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    heads = new Headers(
      Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
    )
    for await (const part of response) {
      text += (part as Buffer).toString('latin1')
      if (call.leavesAt !== undefined && text.length >= call.leavesAt) leaving.abort()
    }
    // Sound that is billed by its length has its cost behind it.
    for (const [name, value] of Object.entries(response.trailers)) heads.set(name, String(value))
  } catch {
    // It has left, or its connection was broken on purpose.
  }
  return gatewayCostIn(text, heads)
}

/** Sound that breaks off has no end behind which its cost could stand: its head names the receipt. */
const costInReceipt = async (site: LedgerGateway, id = ''): Promise<string | undefined> => {
  const headers = { authorization: 'Bearer sk-good' }
  const response = await fetch(`${site.gateway.url}/v1/receipts/${id}`, { headers })
  return response.ok ? ((await response.json()) as { receipt: { cost: string } }).receipt.cost : undefined
}

const overSocket = async (site: LedgerGateway, call: PlannedCall, headers: Record<string, string>): Promise<Stated> => {
  const socket = new WebSocket(site.gateway.url.replace('http', 'ws') + call.path, { headers })
  let text = ''
  await once(socket, 'open')
  const over = new Promise<void>((resolve) => {
    socket.on('message', (bytes) => {
      text += bytes.toString()
      if (/"type":"(response\.(completed|incomplete|failed)|error)"/.test(bytes.toString())) resolve()
      else if (call.leavesAt !== undefined && text.length >= call.leavesAt) socket.terminate()
    })
    socket.on('close', () => resolve())
  })
  socket.send(JSON.stringify({ type: 'response.create', ...call.body }))
  await over
  socket.terminate()
  return gatewayCostIn(text)
}

const openSite = (database: Database, planOf: (number: number) => AnswerPlan): Promise<LedgerGateway> =>
  openLedgerGateway(database, {
    balance: 100_000_000_000,
    relay: {
      channels: openTestChannels(),
      prices: { of: (model) => prices[Number(/-(\d+)$/.exec(model)?.[1] ?? 0)] ?? prices[0] },
    },
  }).then((site) => {
    const types = { openai: 1, claude: 14, gemini: 24 } as const
    const models = (maker: string) => new Set(prices.map((_, at) => `${maker}-${at}`))
    for (const maker of makers)
      site.gateway.parts.channels.list.push(
        testChannel({ id: 0, type: types[maker], baseUrl: site.upstream.url, models: models(maker) }),
      )
    site.upstream.answer = (received) => void answerPlanned(planOf)(received)
    const token = site.gateway.tokens.get('good')
    if (token !== undefined) site.gateway.tokens.set('telling', { ...token, includeCost: true })
    return site
  })

describeEachEngine('the costs in the answers', (open) => {
  it(`are the movements of ${calls} random calls`, { timeout: 60_000 + calls * 200 }, async () => {
    const seed = Number(process.env.ANSWER_COST_SEED ?? Date.now() % 1_000_000)
    console.log(`seed ${seed}`)
    const random = seeded(seed)
    const plans: PlannedCall[] = []
    const planOf = (number: number): AnswerPlan => {
      const plan = plans[number]
      if (plan === undefined) throw new Error(`no plan ${number}`)
      return plan
    }
    const database = await open()
    const site = await openSite(database, planOf)
    const before = await site.balances()
    const stated: Stated[] = []
    let next = 0
    const caller = async (): Promise<void> => {
      while (next < calls) {
        const number = next
        next += 1
        const call = planned(number, random)
        plans[number] = call
        const key = call.asks === 'key' ? 'telling' : 'good'
        const asking: Record<string, string> = call.asks === 'header' ? { 'x-tollgate-include-cost': 'true' } : {}
        const headers = { authorization: `Bearer sk-${key}`, ...asking }
        const answer = await (call.socket ? overSocket : overHttp)(site, call, headers)
        stated[number] = answer
        if (call.asks === 'no' && call.report !== 'stated')
          expect(answer).toMatchObject({ receipt: undefined, dollars: undefined })
      }
    }
    await Promise.all(Array.from({ length: together }, caller))

    const { user } = await site.balances()
    const entries = await database.query
      .selectFrom('ledger_entries')
      .select(['movement', 'amount', 'detail'])
      .where('account', '=', 'user')
      .where('account_id', '=', site.userId)
      .where('reason', '=', 'charge')
      .execute()
    const charges = new Map(entries.map(({ movement, amount, detail }) => [movement, { units: 0 - amount, detail }]))
    let statedUnits = 0
    const silent: number[] = []
    let asked = 0
    for (const [number, { id, receipt, dollars: inAnswer }] of stated.entries()) {
      const call = plans[number]
      if (call?.asks === 'no') continue
      const isBrokenSound = inAnswer === undefined && call?.path === '/v1/audio/speech' && call.end !== 'done'
      const dollars = isBrokenSound ? await costInReceipt(site, receipt) : inAnswer
      if (dollars === undefined || receipt === undefined) {
        // Whoever stayed and was charged has got the cost.
        if (call?.leavesAt === undefined && id !== undefined && charges.has(id)) silent.push(number)
        continue
      }
      asked += 1
      const charge = charges.get(receipt)
      const units = charge?.units ?? Number.NaN
      // One answer, one movement: to the digit.
      expect([number, dollars]).toEqual([number, dollarsOf({ quota: units, quota_per_unit: String(unitsPerDollar) })])
      statedUnits += Math.round(Number(dollars) * unitsPerDollar)
      charges.delete(receipt)
    }
    expect(silent.map((number) => ({ path: plans[number]?.path, end: plans[number]?.end, number }))).toEqual([])
    // The other charges have no stated cost: calls that did not ask for it, and calls whose client had left.
    const isAsked = ({ detail }: { detail: string }): boolean => detail.includes('"call":{')
    const others = [...charges.values()]
    const left = plans.filter(({ leavesAt, asks }) => leavesAt !== undefined && asks !== 'no').length
    expect(others.filter(isAsked).length).toBeLessThanOrEqual(left)
    const otherUnits = others.reduce((sum, { units }) => sum + units, 0)
    expect(statedUnits + otherUnits).toBe(before.user - user)
    expect(asked).toBeGreaterThan(calls / 4)
    // The calls were of all kinds: free ones, and ones that are billed for now.
    expect(entries.some(({ amount, detail }) => amount === 0 && isAsked({ detail }))).toBe(true)
    expect(entries.some(({ detail }) => detail.includes('"provisional":'))).toBe(true)
    await site.close()
  })

  it('are the movements also where the balance falls below zero', async () => {
    const site = await openLedgerGateway(await open(), { balance: 5000 })
    const plan = { input: 10, output: 4000, report: 'plain', end: 'done', pieces: 2 } as const
    site.upstream.answer = (received) => void answerPlanned(() => plan)(received)
    const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'say #0#' }] }
    const response = await site.post('/v1/chat/completions', body, { 'x-tollgate-include-cost': 'true' })
    const { dollars = '' } = gatewayCostIn(await response.text(), response.headers)
    const { user } = await site.balances()
    expect(user).toBeLessThan(0)
    expect(dollars).toBe(dollarsOf({ quota: 5000 - user, quota_per_unit: String(unitsPerDollar) }))
    await site.close()
  })
})
