import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { claude, message } from '../../../test/support/gateway/dialects.ts'
import { drawingChannel, submit, taken } from '../../../test/support/gateway/drawings.ts'
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
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { chunk, completion, done, json, stream } from '../../../test/support/gateway/upstream.ts'
import { openTestChannels, testChannel } from '../../../test/support/relay/ports.ts'
import { TranslatedAnswer } from '../../relay/exchange/translated.ts'
import { ResponseClient } from '../response/response-client.ts'

/** The whole answer exists before the charge; after it no second record is written for the call. */

useScene()

const kinds = (): string[] => gateway.parts.recorder.records.map(({ kind }) => kind)

/** Lets sending fail as it would for a reason that was not foreseen. */
const breakSending = (method: 'head' | 'end'): void => {
  const broken = vi.spyOn(ResponseClient.prototype, method).mockImplementation(() => {
    throw new Error('cannot be sent')
  })
  onTestFinished(() => broken.mockRestore())
}

describe('an answer that cannot be built', () => {
  it('is a fault of the gateway, which costs nothing and is logged', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    const logged: string[] = []
    await reopenGateway({
      channels: openTestChannels(claude()),
      log: (event, { error }) => logged.push(`${event}: ${error}`),
    })
    const broken = vi.spyOn(TranslatedAnswer.prototype, 'print')
    broken.mockImplementation(() => {
      throw new Error('no form for it')
    })
    onTestFinished(() => broken.mockRestore())
    const response = await ask({ ...hi, model: 'claude-sonnet-4-5' })
    expect(response.status).toBe(500)
    expect(kinds()).toEqual(['error'])
    expect(holdEnds()).toEqual(['released'])
    expect(logged).toEqual(['relay_call_failed: Error: no form for it'])
  })
})

/** Rejects where the connection breaks, before the head or after it. */
const wholeStream = async (): Promise<void> => {
  const response = await openStream(hiStream)
  response.resume()
  await once(response, 'end')
}

describe('after the charge', () => {
  it('an answer that cannot be sent breaks the connection, and the charge stays the only record', async () => {
    upstream.answer = json(completion('Hello'))
    breakSending('head')
    await expect(ask(hi)).rejects.toThrow()
    expect(kinds()).toEqual(['charge'])
  })

  it('so does the end of a stream', async () => {
    upstream.answer = stream(chunk('hi'), done)
    breakSending('end')
    await expect(wholeStream()).rejects.toThrow()
    expect(kinds()).toEqual(['charge'])
  })

  it('so does the error event of a stream that broke', async () => {
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('hi'), () => response.destroy())
    }
    breakSending('end')
    await expect(wholeStream()).rejects.toThrow()
    expect(kinds()).toEqual(['charge'])
    expect(lastRecord()?.other).toMatchObject({ end: 'upstream_broke' })
  })

  it('an observer of charges that throws changes nothing', async () => {
    const channels = openTestChannels(testChannel({ baseUrl: upstream.url }))
    const charged = (): void => {
      throw new Error('no room')
    }
    await reopenGateway({ channels: Object.assign(channels, { charged }) })
    upstream.answer = json(completion('Hello'))
    expect(await (await ask(hi)).json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
    useChannels(drawingChannel())
    expect(await submit('/mj/submit/imagine', { prompt: 'x' })).toEqual({ status: 200, body: taken })
    expect(kinds()).toEqual(['charge', 'charge'])
  })

  it('a task whose answer cannot be sent has one record', async () => {
    useChannels(drawingChannel())
    breakSending('head')
    await expect(submit('/mj/submit/imagine', { prompt: 'x' })).rejects.toThrow()
    expect(kinds()).toEqual(['charge'])
  })
})

it('a failed call whose error cannot be sent has one record, and the gateway goes on', async () => {
  useChannels(channel())
  upstream.answer = json({ error: { message: 'no' } }, 400)
  breakSending('head')
  await expect(ask(hi)).rejects.toThrow()
  expect(kinds()).toEqual(['error'])
})
