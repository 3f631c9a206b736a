import OpenAI from 'openai'
import type { ChatCompletionChunk } from 'openai/resources/chat/completions'
import { expect } from 'vitest'
import { type Bench, openBench } from './bench.ts'
import { type Entry, sumOf } from './books.ts'

/** The official client, as it is, with nothing but another address. */
export interface OfficialClient extends Bench {
  readonly client: OpenAI
  clientWith(apiKey: string): OpenAI
  /** The last body as the client sent it, and as the provider got it. */
  sent(): string
  received(): string
  /** Of the last answer. */
  requestId(): string
  /** The last call was charged with `quota`, as its receipt shows; returns its row. */
  expectCharge(quota: number): Promise<Entry>
  /** The last call failed, was free, and the operator can read why; returns its row. */
  expectFailure(status: number): Promise<Entry>
  /** To be called before a test. */
  begin(): Promise<void>
  /** To be called after a test: the balance has moved by what its calls were charged with, and by nothing else. */
  expectBalanced(): Promise<void>
}

export const openOfficialClient = async (): Promise<OfficialClient> => {
  const models = 'gpt-4o,text-embedding-3-small,text-moderation-latest,gpt-3.5-turbo-instruct'
  const bench = await openBench({}, { models })
  const sent: string[] = []
  const requestIds: string[] = []
  let before = 0
  let spent = 0

  const recordingFetch: typeof fetch = async (url, init) => {
    if (typeof init?.body === 'string') sent.push(init.body)
    const response = await fetch(url, init)
    requestIds.push(response.headers.get('x-oneapi-request-id') ?? '')
    return response
  }
  const clientWith = (apiKey: string): OpenAI =>
    new OpenAI({ apiKey, baseURL: `${bench.site.url}/v1`, maxRetries: 0, fetch: recordingFetch })
  const requestId = (): string => requestIds.at(-1) ?? ''

  return {
    ...bench,
    client: clientWith(bench.key),
    clientWith,
    requestId,
    sent: () => sent.at(-1) ?? '',
    received: () => bench.upstream.calls.at(-1)?.raw ?? '',
    async expectCharge(quota) {
      const entry = await bench.books.entry(requestId())
      const { receipt } = entry.other
      expect(entry).toMatchObject({ type: 2, quota })
      expect(receipt?.quota).toBe(quota)
      expect(receipt && sumOf(receipt)).toBe(quota)
      spent += quota
      return entry
    },
    async expectFailure(status) {
      const entry = await bench.books.entry(requestId())
      expect(entry).toMatchObject({ type: 5, quota: 0, other: { status } })
      expect(entry.other.admin_info?.cause).toMatch(/./)
      return entry
    },
    async begin() {
      spent = 0
      before = await bench.books.balance(bench.customer.id)
    },
    async expectBalanced() {
      expect(before - (await bench.books.balance(bench.customer.id))).toBe(spent)
    },
  }
}

export const collect = async (chunks: AsyncIterable<ChatCompletionChunk>): Promise<ChatCompletionChunk[]> => {
  const all: ChatCompletionChunk[] = []
  for await (const one of chunks) all.push(one)
  return all
}

export const textOf = (chunks: readonly ChatCompletionChunk[]): string =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
