import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, openBench } from '../support/bench.ts'
import { addChannel } from '../support/operator.ts'
import { dialectNames, dialects, told } from './asked.ts'
import { installLlama, type LlamaServer, startLlama } from './llama.ts'

/** Sixteen streams at an engine that works at one of them at a time, and is slow to read a prompt. */

const isHere = installLlama()
const words = 'word '.repeat(16)

describe.skipIf(!isHere)('llama.cpp with one slot', () => {
  let engine: LlamaServer
  let bench: Bench

  beforeAll(async () => {
    engine = await startLlama({ slots: 1, size: { layers: 8, width: 8192 }, batch: 2 })
    // Streams may be silent for a second; their calls have ten minutes for their first content.
    bench = await openBench({ STREAMING_TIMEOUT: '1' }, null)
    await bench.set('ModelRatio', JSON.stringify({ tiny: 1 }))
    await addChannel(bench.operator, engine.url, { type: 1001, key: '', base_url: engine.url, models: 'tiny' })
  })
  afterAll(async () => {
    await bench?.close()
    await engine?.remove()
  })

  it('answers sixteen streams that wait for one another, in all dialects', async () => {
    const began = performance.now()
    const streams = Array.from({ length: 16 }, async (_, at) => {
      const dialect = dialectNames[at % dialectNames.length] ?? 'chat'
      const { path, body } = dialects[dialect]({ text: `${at} ${words}`, stream: true })
      const answer = await bench.ask({ path, body })
      const waited = performance.now() - began
      return { ...told(dialect, answer.text), waited, entry: await bench.books.entry(answer.requestId) }
    })
    const ended = await Promise.all(streams)
    for (const { text, input, output, entry } of ended) {
      expect(text).toBe('The gate opens.')
      expect(entry).toMatchObject({
        prompt_tokens: input,
        completion_tokens: output,
        other: { end: 'done', receipt: { estimated: false } },
      })
      expect(output).toBe(5)
    }
    // The last of them were silent for longer than a stream may be between two chunks.
    expect(Math.max(...ended.map(({ waited }) => waited))).toBeGreaterThan(2000)
  })
})
