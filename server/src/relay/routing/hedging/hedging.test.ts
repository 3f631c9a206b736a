import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { logOther } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { priceOf } from '../../../../test/support/billing/price.ts'
import {
  ask,
  channel,
  gateway,
  hiStream,
  holdEnds,
  lastRecord,
  openStream,
  reopenGateway,
  until,
  upstream,
  useChannels,
  useScene,
} from '../../../../test/support/gateway/scene.ts'
import { chunk, done, json, type Received, stream, usageChunk } from '../../../../test/support/gateway/upstream.ts'
import { openTestChannels, testOptions } from '../../../../test/support/relay/ports.ts'
import type { Price } from '../../../billing/price.ts'
import type { ChannelPrices } from '../../../billing/upstream/channel-prices.ts'
import { openFirstContents } from '../choice/first-contents.ts'
import { openHedgeBudget } from './hedge-budget.ts'

useScene()

const model = 'gpt-4o'
const pricedAt = (price: Price | undefined): ChannelPrices => ({
  of: () => price,
  spanned: () => ({ price, from: 0, until: Number.POSITIVE_INFINITY }),
  expected: () => price,
  noteStated: () => undefined,
})
const costs = pricedAt(priceOf(model, { modelRatio: { [model]: 1 }, completionRatio: { [model]: 1 } }))
const keyOf = ({ headers }: Received): string => String(headers.authorization).replace('Bearer ', '')

/** Channel 1 has always begun within `usualMs` until now; channel 2, of the lower priority, is asked second. */
const openHedged = async (limits = { perHour: 0, perDay: 0 }, settings = {}, usualMs = 5) => {
  const firstContents = openFirstContents()
  const hedgeBudget = openHedgeBudget(() => limits)
  for (let call = 0; call < 30; call += 1) firstContents.note(1, model, usualMs, Date.now())
  await reopenGateway({
    firstContents,
    hedgeBudget,
    costs,
    channels: openTestChannels(channel({ id: 1, keys: ['first'], priority: 1 }), channel({ id: 2, keys: ['second'] })),
    settings: { ...testOptions, hedgedGroups: new Set(['default']), ...settings },
  })
  return { firstContents, hedgeBudget }
}

type Answer = (call: Received) => void

/** Each channel answers in its own way. */
const answering = (first: Answer, second: Answer): void => {
  upstream.answer = (call) => (keyOf(call) === 'first' ? first : second)(call)
}
const after = (ms: number, answer: Answer): Answer => {
  return (call) => void setTimeout(() => call.response.destroyed || answer(call), ms)
}
/** Answers when what it waits for has happened. */
const when = (fact: () => boolean, answer: Answer): Answer => {
  return (call) => void until(fact).then(() => call.response.destroyed || answer(call))
}
const secondAsked = (): boolean => asked().includes('second')
const speaking = (text: string) => stream(chunk(text), chunk(' and more'), usageChunk(10, 5), done)
const silent: Answer = () => {}
const asked = (): string[] => upstream.received.map(keyOf)
const attempts = () => logOther.parse(lastRecord()?.other).admin_info?.attempts ?? []
const hedge = () => logOther.parse(lastRecord()?.other).admin_info?.hedge
const sides = () => attempts().map(({ channel: id, hedge: side, cancelled }) => [id, side, cancelled === true])
const textOf = async (answer: Promise<Response>): Promise<string> => {
  const text = await (await answer).text()
  return [...text.matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content).join('')
}

describe('a stream that its channel is slow to begin', () => {
  it('is answered by a second channel; the first is cut off and the user pays once', async () => {
    await openHedged()
    answering(silent, speaking('second'))
    expect(await textOf(ask(hiStream))).toBe('second and more')
    expect(asked()).toEqual(['first', 'second'])
    await upstream.received[0]?.closed
    expect(gateway.parts.recorder.records).toHaveLength(1)
    expect(lastRecord()).toMatchObject({ kind: 'charge', channelId: 2, promptTokens: 10, completionTokens: 5 })
    // On a slow machine the stream lasts long enough to hold more, which is given back.
    expect(holdEnds().filter((end) => end !== 'released')).toEqual([lastRecord()?.quota])
    expect(sides()).toEqual([
      [1, 'first', true],
      [2, 'second', false],
    ])
    expect(hedge()).toMatchObject({ answered: 2, other: 1, won: 'second', cost: 10 })
    expect(lastRecord()?.hedge).toEqual({ channelId: 1, cost: 10, won: true })
  })

  it('is answered by its own channel where that speaks first after all', async () => {
    await openHedged()
    answering(when(secondAsked, speaking('first')), silent)
    expect(await textOf(ask(hiStream))).toBe('first and more')
    await upstream.received[1]?.closed
    expect(sides()).toEqual([
      [1, 'first', false],
      [2, 'second', true],
    ])
    expect(lastRecord()).toMatchObject({ kind: 'charge', channelId: 1, hedge: { channelId: 2, won: false } })
  })

  it('costs nothing, and is in no account, where the second was cut off before its request was sent', async () => {
    const { hedgeBudget } = await openHedged()
    // Takes connections, and never agrees on a cipher.
    const mute = createServer((socket) => socket.on('error', () => {}))
    mute.listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const baseUrl = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`
    useChannels(channel({ id: 1, keys: ['first'], priority: 1 }), channel({ id: 2, keys: ['second'], baseUrl }))
    let isReached = false
    mute.once('connection', () => {
      isReached = true
    })
    answering(
      when(() => isReached, speaking('first')),
      silent,
    )
    expect(await textOf(ask(hiStream))).toBe('first and more')
    mute.close()
    expect(sides()).toEqual([
      [1, 'first', false],
      [2, 'second', true],
    ])
    expect(hedge()).toMatchObject({ answered: 1, other: 2, cost: 0 })
    expect([lastRecord()?.kind, lastRecord()?.hedge]).toEqual(['charge', undefined])
    expect(hedgeBudget.spent(Date.now()).perHour).toBe(0)
  })

  it('is left alone where it begins in time', async () => {
    const { hedgeBudget } = await openHedged(undefined, {}, 20_000)
    answering(speaking('first'), speaking('second'))
    expect(await textOf(ask(hiStream))).toBe('first and more')
    expect([asked(), hedge(), lastRecord()?.hedge]).toEqual([['first'], undefined, undefined])
    expect(hedgeBudget.spent(Date.now()).perHour).toBe(0)
  })

  it('is not hedged for other groups, whole answers, or where nothing was measured', async () => {
    await openHedged(undefined, { hedgedGroups: new Set(['vip']) })
    answering(after(40, speaking('first')), speaking('second'))
    await textOf(ask(hiStream))
    const { firstContents } = await openHedged()
    await textOf(ask({ ...hiStream, stream: false }))
    expect(firstContents.slow(2, model, Date.now())).toBeUndefined()
    useChannels(channel({ id: 3, keys: ['first'], priority: 1 }), channel({ id: 2, keys: ['second'] }))
    await textOf(ask(hiStream))
    expect(asked()).toEqual(['first', 'first', 'first'])
  })
})

describe('where both channels speak at the same moment', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7])('one of them answers, never both (%i ms)', async (shift) => {
    await openHedged()
    answering(after(10 + shift, speaking('first')), after(shift % 2, speaking('second')))
    for (let call = 0; call < 5; call += 1)
      expect(['first and more', 'second and more']).toContain(await textOf(ask(hiStream)))
    const { records } = gateway.parts.recorder
    expect(records.map(({ kind, promptTokens, completionTokens }) => [kind, promptTokens, completionTokens])).toEqual(
      Array.from({ length: 5 }, () => ['charge', 10, 5]),
    )
    expect(holdEnds()).toEqual(records.map(({ quota }) => quota))
  })
})

describe('where one of the two fails', () => {
  const broken = json({ error: { message: 'boom' } }, 500)
  const hasAnswered = (key: string) => (): boolean =>
    upstream.received.some((call) => keyOf(call) === key && call.response.writableFinished)

  it('waits for the first if the second fails, whatever it says', async () => {
    await openHedged()
    answering(
      when(hasAnswered('second'), after(80, speaking('first'))),
      json({ error: { message: 'unknown field' } }, 400),
    )
    expect(await textOf(ask(hiStream))).toBe('first and more')
    expect(lastRecord()).toMatchObject({ kind: 'charge', channelId: 1, hedge: { channelId: 2, cost: 0 } })
    expect(gateway.parts.channels.reports.map(({ channel: id, failure }) => [id, failure?.status])).toEqual([
      [1, undefined],
      [2, 400],
    ])
  })

  it('waits for the second if the first fails', async () => {
    await openHedged()
    answering(when(secondAsked, broken), when(hasAnswered('first'), after(80, speaking('second'))))
    expect(await textOf(ask(hiStream))).toBe('second and more')
    expect(sides()).toEqual([
      [1, 'first', false],
      [2, 'second', false],
    ])
    expect(lastRecord()?.hedge).toEqual({ channelId: 1, cost: 0, won: true })
  })

  it('gives a wrong request back at once, and cuts the second off', async () => {
    await openHedged()
    answering(when(secondAsked, json({ error: { message: 'unknown role' } }, 400)), silent)
    const response = await ask(hiStream)
    await response.text()
    expect(response.status).toBe(400)
    await upstream.received[1]?.closed
    expect([lastRecord()?.kind, holdEnds()]).toEqual(['error', ['released']])
  })

  it('goes on to a third channel where both fail', async () => {
    await openHedged(undefined, { retryTimes: 2 })
    gateway.parts.channels.list.push(channel({ id: 3, keys: ['third'], priority: -1 }))
    upstream.answer = (call) => (keyOf(call) === 'third' ? speaking('third') : when(secondAsked, broken))(call)
    expect(await textOf(ask(hiStream))).toBe('third and more')
    expect(asked()).toEqual(['first', 'second', 'third'])
  })

  it('charges what came where the winner breaks off after its first content', async () => {
    await openHedged()
    answering(silent, ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('half'), () => setTimeout(() => response.destroy(), 20))
    })
    expect(await textOf(ask(hiStream).catch(() => new Response('')))).toContain('half')
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()).toMatchObject({ kind: 'charge', channelId: 2, other: { end: 'upstream_broke' } })
    expect([gateway.parts.recorder.records.length, holdEnds()]).toEqual([1, [lastRecord()?.quota]])
  })
})

describe('where the client leaves', () => {
  it('cuts both off, and records the call once', async () => {
    await openHedged()
    answering(silent, silent)
    const controller = new AbortController()
    const call = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify(hiStream),
      signal: controller.signal,
    }).catch(() => {})
    await until(() => upstream.received.length === 2)
    controller.abort()
    await call
    await Promise.all(upstream.received.map(({ closed }) => closed))
    await until(() => lastRecord() !== undefined)
    expect(gateway.parts.recorder.records.map(({ kind, quota }) => [kind, quota])).toEqual([['error', 0]])
    expect(holdEnds()).toEqual(['released'])
    expect(hedge()).toMatchObject({ other: 2, won: '' })
  })

  it('charges what the winner had sent', async () => {
    await openHedged()
    answering(silent, ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('half'))
    })
    const answer = await openStream()
    answer.once('data', () => answer.destroy())
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()).toMatchObject({ kind: 'charge', channelId: 2, other: { end: 'client_gone' } })
    expect(holdEnds()).toEqual([lastRecord()?.quota])
  })
})

describe('the budget', () => {
  it('stops second channels once it is used up, and starts again with the next hour', async () => {
    const { hedgeBudget } = await openHedged({ perHour: 40, perDay: 0 })
    answering(after(80, speaking('first')), speaking('second'))
    for (let call = 0; call < 8; call += 1) await textOf(ask(hiStream))
    const hedged = asked().filter((key) => key === 'second').length
    expect(hedged).toBeGreaterThan(0)
    expect(hedged).toBeLessThan(8)
    expect(hedgeBudget.spent(Date.now()).perHour).toBeLessThanOrEqual(40)
    expect(hedgeBudget.spent(Date.now() + 3_600_000).perHour).toBe(0)
  })

  it('has no room for what nobody knows the cost of', async () => {
    await openHedged()
    await reopenGateway({ ...gateway.parts, costs: pricedAt(undefined) })
    answering(after(40, speaking('first')), speaking('second'))
    await textOf(ask(hiStream))
    expect(asked()).toEqual(['first'])
  })

  it('counts what other nodes have spent', () => {
    const budget = openHedgeBudget(() => ({ perHour: 100, perDay: 1000 }))
    const now = 1_000_000_000
    expect(budget.take(60, now)).toBeDefined()
    expect(budget.take(60, now)).toBeUndefined()
    budget.seen({ perHour: 0, perDay: 980 }, now)
    expect(budget.take(30, now)).toBeUndefined()
    expect(budget.spent(now)).toEqual({ perHour: 60, perDay: 980 })
  })
})

describe('how soon streams begin', () => {
  it('is known after twenty of them, and follows', () => {
    const contents = openFirstContents()
    for (let call = 1; call <= 19; call += 1) contents.note(1, model, 100, 1000)
    expect(contents.slow(1, model, 1000)).toBeUndefined()
    contents.note(1, model, 100, 1000)
    expect(contents.slow(1, model, 1000)).toBe(100)
    for (let call = 0; call < 100; call += 1) contents.note(1, model, call % 10 === 0 ? 900 : 200, 1000)
    expect(contents.slow(1, model, 1000)).toBe(900)
    expect(contents.slow(1, model, 1000 + 900_000)).toBeUndefined()
  })

  it('is five medians at most, where more than one of twenty is slow', () => {
    const contents = openFirstContents()
    for (let call = 0; call < 100; call += 1) contents.note(1, model, call % 15 === 0 ? 1500 : 40, 1000)
    expect(contents.slow(1, model, 1000)).toBe(200)
  })
})
