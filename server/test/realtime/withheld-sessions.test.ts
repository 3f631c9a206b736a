import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openTestGateway, type TestGateway } from '../support/gateway/listener.ts'
import { type LiveSession, openTestLive, said, type TestLive, turnEnd } from '../support/gateway/live.ts'
import { openSession, responseCreated, responseDone, type UpstreamSession } from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { gateway, record, reopen, upstream, usage, useSessions } from '../support/gateway/sessions.ts'
import { openTestChannels, openTestHolds, openTestRelay, testChannel } from '../support/relay/ports.ts'

/** Sessions that end before an answer has said anything: what was said to the model costs nothing then. */

/** More than any of the balances below. */
const long = 'A question of many words. '.repeat(400)
const asked = { type: 'response.create', response: { instructions: long } }
const word = { type: 'response.output_text.delta', response_id: 'r', item_id: 'i', delta: 'word' }
const opened = [
  responseCreated('r'),
  {
    type: 'response.output_item.added',
    response_id: 'r',
    item: { id: 'i', type: 'message', role: 'assistant', content: [] },
  },
  { type: 'response.content_part.added', response_id: 'r', item_id: 'i', part: { type: 'audio', transcript: '' } },
]

describe('a realtime session', () => {
  useSessions()

  /** A session whose client asks once and gets `events`; `end` is then called. */
  const ask = async (events: readonly object[], end: (session: UpstreamSession) => void = () => {}) => {
    // Its cost is looked at with the first message.
    upstream.greeting = []
    upstream.answer = (_, session) => {
      for (const event of events) session.say(event as Readonly<Record<string, unknown>>)
      end(session)
    }
    const client = await openSession(gateway.url)
    client.say(asked)
    return client
  }

  it('that cannot be paid before it has said anything costs nothing', async () => {
    await reopen({ holds: openTestHolds(1000) })
    const client = await ask(opened)
    expect(await client.closed).toMatchObject({ code: 1008 })
    expect(await record()).toMatchObject({ quota: 0, promptTokens: 0, other: { end: 'out_of_quota' } })
  })

  it.each([
    ['at once', []],
    ['after its opening', opened],
    ['after a failure', [...opened, { type: 'error', error: { type: 'server_error', message: 'overloaded' } }]],
  ])('whose provider breaks off %s costs nothing', async (_, events) => {
    const client = await ask(events, ({ socket }) => socket.close(1011))
    await client.closed
    expect(await record()).toMatchObject({ quota: 0, other: { end: 'upstream_broke' } })
  })

  it('pays for what its answer has begun to say', async () => {
    const client = await ask([...opened, word], ({ socket }) => socket.close(1011))
    await client.closed
    const charged = await record()
    expect(charged).toMatchObject({ completionTokens: 4, other: { end: 'upstream_broke' } })
    expect(charged?.promptTokens).toBe(long.length)
  })

  it('pays for the answers that are over, and not for one that has said nothing', async () => {
    const client = await ask([responseCreated('1'), responseDone(usage, '1'), ...opened], ({ socket }) =>
      socket.close(1011),
    )
    await client.closed
    expect(await record()).toMatchObject({ quota: 5300, receipt: { estimated: false } })
  })

  it('pays nothing for a response that failed', async () => {
    const failed = { type: 'response.done', response: { id: 'r', status: 'failed', output: [], usage: null } }
    const client = await ask([...opened, failed])
    await client.next('response.done')
    client.socket.close(1000)
    expect(await record()).toMatchObject({ quota: 0, other: { end: 'done' } })
  })

  it('pays what it asked for where its client ends it', async () => {
    const client = await ask(opened)
    await client.next('response.content_part.added')
    client.socket.send('no JSON')
    await client.closed
    expect((await record())?.promptTokens).toBe(long.length)
  })

  it('is marked without an answer that has said nothing', async () => {
    const marks: { readonly input: number }[] = []
    gateway.parts.recorder.progress = (_, used) => void marks.push(used)
    const client = await ask(opened)
    await until(() => marks.length > 0)
    expect(marks.every(({ input }) => input === 0)).toBe(true)
    client.socket.terminate()
    await record()
  })
})

describe('a session of Gemini Live', () => {
  let live: TestLive
  let gate: TestGateway

  afterEach(async () => {
    await gate.close()
    await live.close()
  })

  const ask = async (answer: (session: LiveSession) => void, balance = 1_000_000) => {
    live = await openTestLive()
    const channel = testChannel({ type: 24, keys: ['upstream-key'], baseUrl: live.url })
    const { limits } = openTestRelay()
    // The money is looked at once a second.
    const patient = { ...limits, timeouts: { ...limits.timeouts, streamIdle: 60_000 } }
    const relay = { channels: openTestChannels(channel), holds: openTestHolds(balance), limits: patient }
    gate = await openTestGateway({ relay })
    live.answer = (_, session) => answer(session)
    const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
    const socket = new WebSocket(`${gate.url.replace('http', 'ws')}${path}?key=sk-good`)
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    socket.on('open', () => socket.send(JSON.stringify({ setup: { model: 'models/gpt-4o' } })))
    socket.once('message', () =>
      socket.send(
        JSON.stringify({ clientContent: { turns: [{ role: 'user', parts: [{ text: long }] }], turnComplete: true } }),
      ),
    )
    await closed
    await until(() => gate.parts.recorder.records.length > 0)
    return gate.parts.recorder.records[0]
  }

  const silent = { serverContent: { modelTurn: { parts: [{ text: '' }] } } }

  it('that cannot be paid before it has said anything costs nothing', async () => {
    expect(await ask((session) => session.say(silent), 1000)).toMatchObject({
      quota: 0,
      other: { end: 'out_of_quota' },
    })
  })

  it.each([
    ['at once', []],
    ['after an empty beginning', [silent]],
    ['after a report of the prompt', [{ usageMetadata: { promptTokenCount: 417, totalTokenCount: 417 } }]],
  ])('whose provider breaks off %s costs nothing', async (_, messages) => {
    const charged = await ask((session) => {
      session.say(...messages)
      session.close(1011, 'overloaded')
    })
    expect(charged).toMatchObject({ quota: 0, other: { end: 'upstream_broke' } })
  })

  it('pays for what its turn has begun to say', async () => {
    const charged = await ask((session) => {
      session.say(said(Buffer.alloc(48_000)))
      session.close(1011, 'overloaded')
    })
    expect(charged).toMatchObject({ completionTokens: 25, other: { end: 'upstream_broke' } })
    expect(charged?.promptTokens).toBe(long.length)
  })

  it('pays for the turns that are over', async () => {
    const charged = await ask((session) => {
      session.say(said(Buffer.alloc(48)), turnEnd, silent)
      session.close(1011, 'overloaded')
    })
    expect(charged).toMatchObject({ promptTokens: 417, completionTokens: 100 })
  })
})
