import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChosenLane, DeadlineCalls, LaneStep } from '#server/gateway/deadlines/deadline-calls.ts'
import { openTestGateway, type TestGateway, testToken } from '#server-test/support/gateway/listener.ts'
import { completion, json, openTestUpstream, type TestUpstream } from '#server-test/support/gateway/upstream.ts'
import { openTestChannels, testCaller, testChannel } from '#server-test/support/relay/ports.ts'
import { openaiForm } from './forms/openai.ts'
import { createLineCalls } from './run/line-calls.ts'
import { openRunMode } from './run/run-mode.ts'
import { openSlots } from './run/slots.ts'
import { timedLines, timedSettings } from './timed.ts'

const now = Date.UTC(2026, 10, 30)
const hour = 3_600_000
const steps: LaneStep[] = []
const chosen: (ChosenLane | undefined)[] = []
let waited = 0

/** Takes the steps in turn; a flex request may be made again at once. */
const deadlines: DeadlineCalls = {
  deadlineOf: ({ 'x-tollgate-deadline': header }) => (header === undefined ? undefined : now + Number(header) * hour),
  assertStated() {},
  timed(call, _, lane) {
    chosen.push(lane)
    return call
  },
  next: () => steps.shift() ?? { lane: 'standard', startAt: now, latestAt: now },
  batchEnded() {},
  askedAgainAt(at, refusals) {
    waited = refusals
    return at
  },
}

let upstream: TestUpstream
let gateway: TestGateway

beforeEach(async () => {
  upstream = await openTestUpstream()
  gateway = await openTestGateway({
    relay: { channels: openTestChannels(testChannel({ baseUrl: upstream.url })) },
    gateway: { deadlines },
  })
  chosen.length = 0
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

const contextWith = (headers: Record<string, string>) => ({ startedAt: now, request: { headers } })
const settingsOf = (headers: Record<string, string>) =>
  timedSettings({ caller: testCaller, context: contextWith(headers) as never }, {}, openaiForm, deadlines)

const lineCalls = (settings: object) => {
  const batch = { object_id: 'b', token_id: testToken.tokenId, ip: '10.0.0.1', model: '', total: 1 }
  const clock = (): number => now
  const timed = timedLines({ ...batch, settings: JSON.stringify(settings) }, { deadlines, linesAtOnce: () => 1, clock })
  const places = { slots: openSlots(() => 1), mode: openRunMode() }
  return createLineCalls({
    calls: gateway.listener.ownCalls,
    batch: batch as never,
    ...places,
    isResumed: false,
    journalMs: 0,
    clock,
    timed,
  })
}

const line = {
  name: 'one',
  path: '/v1/chat/completions',
  headers: {},
  body: Buffer.from(JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })),
}

describe('a batch with a deadline', () => {
  it('has it for all lines, within its window', () => {
    expect(settingsOf({})).toEqual({})
    const timed = { group: testCaller.group, acceptsUnpriced: true, arrivedAt: now }
    expect(settingsOf({ 'x-tollgate-deadline': '6' })).toEqual({ timed: { ...timed, deadline: now + 6 * hour } })
    expect(settingsOf({ 'x-tollgate-deadline': '60' })).toEqual({ timed: { ...timed, deadline: now + 24 * hour } })
  })

  it('makes a line again that the flex tier refused, and at once when it is time', async () => {
    const latestAt = now + 5 * hour
    for (let count = 0; count < 9; count += 1) steps.push({ lane: 'flex', startAt: now, latestAt })
    upstream.answer = (call) =>
      upstream.received.length < 10
        ? json({ error: { message: 'Resource unavailable' } }, 429)(call)
        : json(completion('hello'))(call)
    const outcome = await lineCalls(settingsOf({ 'x-tollgate-deadline': '6' })).make(0, line)
    expect(outcome).toMatchObject({ kind: 'answered', status: 200 })
    expect(waited).toBe(9)
    expect(chosen.map((lane) => lane?.lane)).toEqual([...Array(9).fill('flex'), 'standard'])
    expect(chosen[0]).toMatchObject({ deadline: now + 6 * hour, arrivedAt: now })
    expect(gateway.parts.recorder.records.filter(({ kind }) => kind === 'charge')).toHaveLength(1)
  })

  it('leaves lines of other batches as they are', async () => {
    expect(await lineCalls({}).make(0, line)).toMatchObject({ kind: 'answered', status: 200 })
    expect(chosen).toEqual([])
  })
})
