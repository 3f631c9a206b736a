import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  holdEnds,
  lastRecord,
  openStream,
  reopenGateway,
  until,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, done, json, pour, stream, usageChunk } from '../support/gateway/upstream.ts'
import { testOptions } from '../support/relay/ports.ts'

useScene()

describe('a stream', () => {
  it('forwards each event as it comes and ends only when the call is recorded', async () => {
    let write = (_: string): void => {}
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      write = (text) => response.write(text)
    }
    let recorded: (() => void) | undefined
    gateway.parts.recorder.beforeEnd = () => new Promise((resolve) => (recorded = resolve))
    const opened = openStream()
    await until(() => upstream.received.length === 1)
    write(chunk('one'))
    const response = await opened
    let text = ''
    response.on('data', (data: Buffer) => (text += data))
    await until(() => text.includes('one'))
    write(chunk('two').slice(0, 30))
    write(chunk('two').slice(30))
    await until(() => text.includes('two'))
    write(usageChunk(3, 4) + done)
    upstream.received[0]?.response.end()
    await until(() => recorded !== undefined)
    expect(text).toBe(chunk('one') + chunk('two'))
    recorded?.()
    await once(response, 'end')
    expect(text).toBe(chunk('one') + chunk('two') + done)
    expect(lastRecord()).toMatchObject({ promptTokens: 3, completionTokens: 4, isStream: true })
  })

  it('sends comments while it waits, and then a failure as an event', async () => {
    await reopenGateway({ keepAliveMs: 30 })
    upstream.answer = () => {}
    const response = await openStream()
    expect(response.statusCode).toBe(200)
    let text = ''
    response.on('data', (data: Buffer) => (text += data))
    await until(() => text.includes(': keep-alive\n\n: keep-alive\n\n'))
    json({ error: { message: 'late' } }, 500)(upstream.received[0] ?? expect.fail('no call'))
    await once(response, 'end')
    expect(text).toMatch(/^(: keep-alive\n\n){2,}data: \{"error":\{"message":"late \(request id/)
    expect(text).not.toContain('[DONE]')
    expect(holdEnds()).toEqual(['released'])
  })

  it('slows its upstream down when the client does not read', async () => {
    const piece = Buffer.from(chunk('x'.repeat(60_000)))
    const poured = pour('text/event-stream', { piece, times: 1000, end: done })
    upstream.answer = poured.answer
    const response = await openStream()
    response.pause()
    expect(await poured.stuckAt()).toBeLessThan(500)
    let bytes = 0
    response.on('data', (data: Buffer) => (bytes += data.length))
    response.resume()
    await once(response, 'end')
    expect(bytes).toBe(1000 * piece.length + done.length)
  })

  it('whose client leaves stops its upstream and bills what was produced', async () => {
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('produced'))
    }
    const response = await openStream()
    await once(response, 'data')
    response.destroy()
    await upstream.received[0]?.closed
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()).toMatchObject({
      kind: 'charge',
      completionTokens: 'produced'.length,
      receipt: { estimated: true },
      other: { end: 'client_gone' },
    })
    expect(holdEnds()).toEqual([lastRecord()?.quota])
  })

  it('is read to its end after the client left when the option says so', async () => {
    gateway.parts.settings = { ...testOptions, onClientGone: 'finish' }
    let finish = (): void => {}
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('a'))
      finish = () => response.end(usageChunk(8, 9) + done)
    }
    const response = await openStream()
    await once(response, 'data')
    response.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    finish()
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()).toMatchObject({ promptTokens: 8, completionTokens: 9, receipt: { estimated: false } })
  })

  it('costs nothing when the client leaves before the first byte', async () => {
    upstream.answer = () => {}
    const call = request(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: 'good' } })
    call.on('error', () => {})
    call.end(JSON.stringify(hi))
    await until(() => upstream.received.length === 1)
    call.destroy()
    await upstream.received[0]?.closed
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()).toMatchObject({ kind: 'error', other: { status: 499, end: 'client_gone' } })
    expect(holdEnds()).toEqual(['released'])
    expect(gateway.parts.channels.reports).toEqual([])
  })

  it.each([
    ['a later event states nothing', [usageChunk(30, 40), usageChunk(0, 0)]],
    ['a later event states what cannot be', [usageChunk(30, 40), usageChunk(-3, 4)]],
    ['other figures follow the end mark', [usageChunk(30, 40), done, usageChunk(300, 400)]],
    ['other figures follow the end mark in the same write', [usageChunk(30, 40), done + usageChunk(300, 400)]],
  ])('is billed as its upstream reported even when %s', async (_, events) => {
    upstream.answer = async ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of [chunk('a'), ...events]) {
        response.write(event)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      response.end(events.some((event) => event.includes(done)) ? '' : done)
    }
    await (await ask(hiStream)).text()
    expect(lastRecord()).toMatchObject({ promptTokens: 30, completionTokens: 40, receipt: { estimated: false } })
  })

  it('took no negative time when the clock was set back meanwhile', async () => {
    let now = 1_750_000_000_000
    await reopenGateway({ clock: () => now })
    upstream.answer = (call) => {
      now -= 3_600_000
      stream(chunk('a'), usageChunk(3, 4), done)(call)
    }
    await (await ask(hiStream)).text()
    expect(lastRecord()).toMatchObject({ useTime: 0, other: { frt: 0, duration_ms: 0 } })
  })

  it('is made of a plain answer when the upstream does not stream', async () => {
    const text = await (await ask({ ...hiStream, stream_options: { include_usage: true } })).text()
    const events = text.split('\n\n').filter((event) => event.startsWith('data: {'))
    const [first, last] = events.map((event) => JSON.parse(event.slice(6)) as Record<string, unknown>)
    expect(first).toMatchObject({ object: 'chat.completion.chunk', choices: [{ delta: { content: 'hello' } }] })
    expect(last).toMatchObject({ choices: [], usage: { prompt_tokens: 10 } })
    expect(text.endsWith(done)).toBe(true)
    expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 5 })
  })

  it('gets the usage event that the client asked for when the upstream sends none', async () => {
    upstream.answer = stream(chunk('four'), done)
    const text = await (await ask({ ...hiStream, stream_options: { include_usage: true } })).text()
    const event = JSON.parse(text.split('\n\n')[1]?.slice(6) ?? '') as Record<string, unknown>
    expect(event).toMatchObject({ id: 'c', created: 5, model: 'm', choices: [], usage: { completion_tokens: 4 } })
  })

  it('shows reasoning as content when the channel says so', async () => {
    useChannels(channel({ thinkingToContent: true }))
    const delta = (fields: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: fields }] })}\n\n`
    upstream.answer = stream(
      delta({ reasoning_content: 'a' }),
      delta({ reasoning_content: 'b' }),
      delta({ content: 'c' }),
      done,
    )
    const text = await (await ask(hiStream)).text()
    const contents = [...text.matchAll(/"content":"((?:\\.|[^"])*)"/g)].map(([, content]) => content)
    expect(contents).toEqual(['<think>\\na', 'b', '\\n</think>\\n', 'c'])
  })

  it('loses no content that comes together with reasoning', async () => {
    useChannels(channel({ thinkingToContent: true }))
    const delta = (fields: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: fields }] })}\n\n`
    upstream.answer = stream(
      delta({ reasoning_content: 'a' }),
      delta({ reasoning_content: 'b', content: 'c' }),
      delta({ content: 'd' }),
      done,
    )
    const text = await (await ask(hiStream)).text()
    const contents = [...text.matchAll(/"content":"((?:\\.|[^"])*)"/g)].map(([, content]) => content)
    expect(contents.join('')).toBe('<think>\\nab\\n</think>\\ncd')
  })

  it('has only standard fields when the channel says so', async () => {
    useChannels(channel({ forceFormat: true }))
    upstream.answer = stream(
      'data: {"id":"i","odd":1,"choices":[{"index":0,"delta":{"content":"c","odd":2}}]}\n\n',
      done,
    )
    const text = await (await ask(hiStream)).text()
    expect(JSON.parse(text.split('\n\n')[0]?.slice(6) ?? '')).toEqual({
      id: 'i',
      object: 'chat.completion.chunk',
      created: 0,
      model: '',
      system_fingerprint: null,
      choices: [{ delta: { content: 'c' }, logprobs: null, finish_reason: null, index: 0 }],
      usage: null,
    })
  })
})
