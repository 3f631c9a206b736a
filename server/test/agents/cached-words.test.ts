import { expect, it } from 'vitest'
import { claude, eventsIn, message, messageStream } from '../support/gateway/dialects.ts'
import { ask, hi, hiStream, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'

useScene()

/** Clients of DeepSeek (@ai-sdk/deepseek) read what was cached in its words alone, whichever model they call. */

const told = {
  prompt_tokens: 47,
  prompt_cache_hit_tokens: 30,
  prompt_cache_miss_tokens: 17,
  prompt_tokens_details: { cached_tokens: 30 },
}

it('what was cached is told in the words of OpenAI and of DeepSeek', async () => {
  useChannels(claude())
  upstream.answer = json(message)
  expect(await (await ask(hi)).json()).toMatchObject({ usage: told })
})

it('what was cached is told in both words at the end of a stream', async () => {
  useChannels(claude())
  upstream.answer = stream(...messageStream)
  const text = await (await ask({ ...hiStream, stream_options: { include_usage: true } })).text()
  expect(eventsIn(text).at(-1)).toMatchObject({ usage: told })
})

it('nothing is told of a cache that was not read', async () => {
  useChannels(claude())
  upstream.answer = json({ ...message, usage: { input_tokens: 10, output_tokens: 5 } })
  const { usage: plain } = (await (await ask(hi)).json()) as { usage: object }
  expect(plain).not.toHaveProperty('prompt_cache_hit_tokens')
})
