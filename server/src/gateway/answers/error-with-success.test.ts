import { describe, expect, it } from 'vitest'
import { claude, question } from '../../../test/support/gateway/dialects.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { chunk, json, stream } from '../../../test/support/gateway/upstream.ts'

/** Errors that an upstream sends with status 200. */

useScene()

const filtered = {
  error: {
    message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    type: null,
    param: 'prompt',
    code: 'content_filter',
    status: 400,
    innererror: { code: 'ResponsibleAIPolicyViolation' },
  },
}
const azure = () => channel({ type: 3 })
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

describe('an error object with status 200 that names a status', () => {
  it('keeps it, and no other channel is asked', async () => {
    useChannels(azure(), { ...azure(), id: 2 })
    gateway.parts.settings = { ...gateway.parts.settings, retryTimes: 3 }
    upstream.answer = json(filtered)
    const response = await ask(hi)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'content_filter', param: 'prompt' } })
    expect(upstream.received).toHaveLength(1)
    expect(lastRecord()).toMatchObject({ kind: 'error', other: { status: 400, error_code: 'content_filter' } })
    expect(gateway.parts.channels.reports.at(-1)?.failure).toMatchObject({ status: 400 })
  })

  it('keeps it at the begin of a stream', async () => {
    useChannels(azure())
    upstream.answer = stream(event(filtered))
    expect((await ask(hiStream)).status).toBe(400)
  })

  it('keeps it for clients of another language', async () => {
    useChannels(azure())
    upstream.answer = json(filtered)
    const response = await ask({ ...question, model: 'gpt-4o' }, '/v1/messages')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  })

  it.each([
    [{ status_code: 429 }, 429],
    [{ code: 404 }, 404],
    [{ code: '409' }, 409],
    // The provider refuses the channel's credentials: nothing that the client could mend.
    [{ code: '403' }, 502],
    [{ status: 'INVALID_ARGUMENT', code: 400 }, 400],
    [{ code: 1301 }, 502],
    [{ status: 200 }, 502],
    [{ status: 399, code: 'content_filter' }, 400],
    [{ status: 399, code: 'something_new' }, 502],
    [{ status: 1e300 }, 502],
    [{ code: { toString: 1 } }, 502],
    [{}, 502],
  ])('%j means %d', async (members, status) => {
    upstream.answer = json({ error: { message: 'no', ...members } })
    expect((await ask(hi)).status).toBe(status)
  })

  it('may be of any depth', async () => {
    const depth = 200_000
    const deep = `{"error":{"message":"no","param":${'['.repeat(depth)}${']'.repeat(depth)}}}`
    upstream.answer = ({ response }) => response.writeHead(200, { 'content-type': 'application/json' }).end(deep)
    expect((await ask(hi)).status).toBe(502)
    upstream.answer = stream(`data: ${deep}\n\n`)
    expect((await ask(hiStream)).status).toBe(502)
    expect(gateway.parts.recorder.records.map(({ kind }) => kind)).toEqual(['error', 'error'])
  })
})

describe('an error in the middle of a stream', () => {
  const failed = {
    error: { message: 'the model did not call a tool', type: 'invalid_request_error', code: 'x', status_code: 400 },
  }

  it('is read once by a client of the same language, and the stream counts as broken', async () => {
    upstream.answer = stream(chunk('maybe'), event(failed))
    expect(await (await ask(hiStream)).text()).toBe(chunk('maybe') + event(failed))
    expect(lastRecord()).toMatchObject({ kind: 'charge', other: { end: 'upstream_broke' } })
    expect(gateway.parts.channels.reports.at(-1)?.failure).toMatchObject({ status: 400, code: 'x' })
  })

  it('is read once by a client of Anthropic’s', async () => {
    useChannels(claude())
    const overloaded = `event: error\n${event({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } })}`
    const begin = `event: content_block_start\n${event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'a' } })}`
    upstream.answer = stream(begin, overloaded)
    const response = await ask({ ...question, stream: true }, '/v1/messages')
    expect(await response.text()).toBe(begin + overloaded)
    expect(lastRecord()).toMatchObject({ kind: 'charge', other: { end: 'upstream_broke' } })
  })

  it('is printed where events are printed anew', async () => {
    useChannels(channel({ forceFormat: true }))
    upstream.answer = stream(chunk('maybe'), event(failed))
    expect(await (await ask(hiStream)).text()).toMatch(
      /data: \{"error":\{"message":"the model did not call a tool[^\n]*\n\n$/,
    )
  })
})
