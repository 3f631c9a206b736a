import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject, listOf, membersOf, objectsOf } from '../../src/dialects/conversation/json.ts'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { useRecorded } from '../support/gateway/recorded.ts'
import { testChannel } from '../support/relay/ports.ts'
import { hasWire, type Recording } from '../support/relay/wire.ts'

/** Recorded embeddings and rerankings of providers with words of their own. Skipped without recordings. */

const channels: Readonly<Record<string, (id: string) => Partial<RelayChannel>>> = {
  bedrock: (id) => ({ type: 33, keys: [`wire-${id}|secret|us-east-1`] }),
  vertex: (id) => ({ type: 41, keys: [`wire-${id}`], other: 'us-east5' }),
  cohere: (id) => ({ type: 34, keys: [`wire-${id}`] }),
  gemini: (id) => ({ type: 24, keys: [`wire-${id}`] }),
}

/** The vectors of a raw recording, wherever its provider puts them. */
const vectorsIn = (body: JsonObject): unknown[] => {
  const { embedding, embeddings, predictions } = body
  if (Array.isArray(embedding)) return [embedding]
  if (isObject(embedding)) return [embedding.values]
  if (Array.isArray(predictions))
    return objectsOf(predictions).map((prediction) => membersOf(prediction.embeddings).values)
  if (isObject(embeddings)) return [...listOf(embeddings.float)]
  return objectsOf(embeddings).map((embedded) => embedded.values ?? embedded.embedding)
}

const embeds = ({ format, provider, model, response }: Recording): boolean =>
  provider in channels &&
  /embed|predict|invoke/i.test(format) &&
  response.status === 200 &&
  vectorsIn(membersOf(response.body)).length > 0 &&
  (provider !== 'vertex' || model?.includes('embedding') === true)

describe.skipIf(!hasWire).each(['event', 'random:5'])('recorded vectors, cut by %s', (chunking) => {
  const recorded = useRecorded(chunking)

  const ask = async ({ id, provider }: Recording, path: string, body: object): Promise<JsonObject> => {
    const { list } = recorded.gateway.parts.channels
    list.splice(0, list.length, testChannel({ baseUrl: recorded.replay.url, ...channels[provider]?.(id) }))
    recorded.gateway.parts.recorder.records.length = 0
    const response = await fetch(recorded.gateway.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    return membersOf(await response.json())
  }

  it('are the same in OpenAI’s format, and billed as reported', async () => {
    const recordings = recorded.replay
      .ids()
      .map((id) => recorded.replay.get(id))
      .filter(embeds)
    expect(recordings.length).toBeGreaterThan(12)
    const wrong: string[] = []
    for (const recording of recordings) {
      const { model, usage, response, id } = recording
      try {
        const answer = await ask(recording, '/v1/embeddings', { model: model ?? 'embed-v4.0', input: 'hi' })
        expect(objectsOf(answer.data).map(({ embedding }) => embedding)).toEqual(vectorsIn(membersOf(response.body)))
        const prompt = usage.prompt ?? usage.billed_input
        const [record] = recorded.gateway.parts.recorder.records
        expect(record).toMatchObject({ kind: 'charge', receipt: { estimated: prompt === undefined } })
        if (prompt !== undefined) expect(record?.promptTokens).toBe(prompt)
      } catch (error) {
        wrong.push(`${id}: ${error}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('rank as recorded, in Jina’s format', async () => {
    for (const id of recorded.replay.ids({ format: 'cohere.rerank', provider: 'cohere' })) {
      const recording = recorded.replay.get(id)
      const answer = await ask(recording, '/v1/rerank', { model: 'rerank-v3.5', query: 'x', documents: ['a', 'b'] })
      const ranks = objectsOf(membersOf(recording.response.body).results).map(({ index, relevance_score }) => ({
        index,
        relevance_score,
      }))
      expect(answer.results).toEqual(ranks)
      expect(membersOf(membersOf(answer.meta).billed_units).search_units).toBe(recording.usage.search_units)
    }
  })
})
