import { describe, expect, it } from 'vitest'
import { useRecorded } from '../support/gateway/recorded.ts'
import { ask, channel, hi, lastRecord, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json } from '../support/gateway/upstream.ts'
import { testChannel } from '../support/relay/ports.ts'
import { hasWire } from '../support/relay/wire.ts'

describe.skipIf(!hasWire)('a Zhipu channel of the old type', () => {
  const recorded = useRecorded('random:3')

  it('gets from version 4 what was recorded, billed as reported', async () => {
    const ids = recorded.replay.ids({ provider: 'zhipu' })
    expect(ids).toHaveLength(9)
    for (const id of ids) {
      const { model, stream, request, usage } = recorded.replay.get(id)
      const body = { ...hi, model: model ?? 'glm-4', stream, ...request.body }
      recorded.gateway.parts.channels.list.splice(
        0,
        1,
        testChannel({ type: 16, baseUrl: recorded.replay.url, keys: [`wire-${id}.secret`] }),
      )
      const response = await fetch(`${recorded.gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-good' },
        body: JSON.stringify(body),
      })
      await response.text()
      expect([id, response.status]).toEqual([id, 200])
      expect(recorded.replay.log(id).at(-1)).toMatchObject({ path: '/api/paas/v4/chat/completions' })
      expect(recorded.replay.log(id).at(-1)?.headers.authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]{43}$/)
      expect(recorded.gateway.parts.recorder.records.at(-1)).toMatchObject({
        promptTokens: usage.prompt,
        completionTokens: usage.completion,
      })
    }
  })
})

describe('providers of vectors', () => {
  useScene()

  const vectors = {
    object: 'list',
    model: 'm',
    data: [{ object: 'embedding', index: 0, embedding: [1, 2] }],
    usage: { prompt_tokens: 4, total_tokens: 4 },
  }

  it.each([
    [38, 'jina-embeddings-v3', '/v1/embeddings'],
    [44, 'm3e-base', '/embeddings'],
  ])('type %i embeds with %s at %s, untouched', async (type, model, path) => {
    useChannels(channel({ type }))
    upstream.answer = json(vectors)
    const body = { model, input: ['a'], task: 'text-matching' }
    const response = await ask(body, '/v1/embeddings')
    expect(await response.json()).toEqual(vectors)
    expect(upstream.received[0]).toMatchObject({ path, headers: { authorization: 'Bearer channel-key' } })
    expect(sentBody()).toBe(JSON.stringify(body))
    expect(lastRecord()).toMatchObject({ promptTokens: 4, completionTokens: 0 })
  })

  it('Jina reranks, untouched', async () => {
    useChannels(channel({ type: 38 }))
    const ranked = { model: 'm', results: [{ index: 0, relevance_score: 0.5 }], usage: { total_tokens: 9 } }
    upstream.answer = json(ranked)
    const body = { model: 'jina-reranker-v2-base-multilingual', query: 'q', documents: ['a'] }
    expect(await (await ask(body, '/v1/rerank')).json()).toEqual(ranked)
    expect(upstream.received[0]?.path).toBe('/v1/rerank')
    expect(sentBody()).toBe(JSON.stringify(body))
    expect(lastRecord()).toMatchObject({ promptTokens: 9 })
  })

  it('Jina’s DeepSearch has conversations, Moka has none', async () => {
    useChannels(channel({ type: 38 }))
    upstream.answer = json(completion('found'))
    expect(await (await ask({ ...hi, model: 'jina-deepsearch-v1' })).json()).toEqual(completion('found'))
    useChannels(channel({ type: 44 }))
    const response = await ask({ ...hi, model: 'm3e-base' })
    expect(response.status).toBe(501)
    expect(upstream.received).toHaveLength(1)
  })
})
