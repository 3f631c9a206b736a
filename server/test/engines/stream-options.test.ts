import { expect, it } from 'vitest'
import { providers } from '../../src/providers/index.ts'
import {
  ask,
  channel,
  hiStream,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, done, stream, usageChunk } from '../support/gateway/upstream.ts'

useScene()

const asking = { ...hiStream, stream_options: { include_usage: true } }
const custom = 8
const xinference = 47
const mistral = 42

/** Types whose conversations pass as chat completions, with a plain key. */
const chatTypes = providers
  .filter(({ type, languages, tasks, envelope, sign }) => {
    return (
      tasks === undefined &&
      envelope !== true &&
      sign === undefined &&
      languages[0]?.name === 'openai-chat' &&
      type !== mistral
    )
  })
  .map(({ type, name }) => [name, type] as const)

it.each(chatTypes)('what a client asked for reaches %s', async (_, type) => {
  upstream.answer = stream(chunk('hello'), usageChunk(28, 25), done)
  useChannels(channel({ type }))
  const text = await (await ask(asking)).text()
  expect(JSON.parse(sentBody())).toMatchObject({ stream_options: { include_usage: true } })
  expect(text).toContain(usageChunk(28, 25))
  expect(lastRecord()).toMatchObject({ promptTokens: 28, completionTokens: 25, receipt: { estimated: false } })
})

it.each([custom, xinference])('usage is asked for at type %i in every dialect', async (type) => {
  upstream.answer = ({ response, body }) => {
    const { stream_options: options } = JSON.parse(body.toString()) as { stream_options?: { include_usage?: boolean } }
    stream(
      chunk('hello'),
      ...(options?.include_usage === true ? [usageChunk(544, 17)] : []),
      done,
    )({ response } as never)
  }
  useChannels(channel({ type }))
  const own = await (await ask(hiStream)).text()
  expect(own).not.toContain('"usage"')
  expect(lastRecord()).toMatchObject({ promptTokens: 544, completionTokens: 17, receipt: { estimated: false } })
  const messages = await (await ask({ ...hiStream, max_tokens: 9 }, '/v1/messages')).text()
  expect(messages).toContain('"input_tokens":544')
  expect(lastRecord()).toMatchObject({ promptTokens: 544, completionTokens: 17, receipt: { estimated: false } })
})

it('is left out where the provider refuses it', async () => {
  upstream.answer = stream(chunk('hello'), usageChunk(28, 25), done)
  useChannels(channel({ type: mistral }))
  await (await ask(asking)).text()
  expect(sentBody()).not.toContain('stream_options')
})

it('is left out of what is no stream, which OpenAI refuses', async () => {
  upstream.answer = stream(chunk('hello'), usageChunk(28, 25), done)
  await (await ask({ ...asking, stream: false })).text()
  expect(sentBody()).not.toContain('stream_options')
})
