import type { Channel } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasWire, type Recording, type Replay, startReplay } from '../server/test/support/relay/wire.ts'
import { type Books, openBooks, sumOf } from './support/books.ts'
import { addChannel, addKey, type Person, signIn } from './support/operator.ts'
import { type Site, startSite } from './support/site.ts'

/** Recorded exchanges of real providers through the started product: what comes out is what was recorded, and so is the bill. */

if (!hasWire) console.warn('No recorded exchanges were found: their playback is skipped')

const paths: Readonly<Record<string, string>> = {
  'openai.chat': '/v1/chat/completions',
  'openai.completions': '/v1/completions',
  'openai.embeddings': '/v1/embeddings',
  'openai.moderations': '/v1/moderations',
}

interface Sample {
  readonly format: string
  readonly stream: boolean
  readonly count: number
  /** How the provider's bytes are cut. */
  readonly chunking: string
}

const samples: readonly Sample[] = [
  { format: 'openai.chat', stream: true, count: 8, chunking: 'byte:1' },
  { format: 'openai.chat', stream: true, count: 12, chunking: 'random:11' },
  { format: 'openai.chat', stream: false, count: 12, chunking: 'random:5' },
  { format: 'openai.completions', stream: true, count: 3, chunking: 'byte:1' },
  { format: 'openai.completions', stream: false, count: 3, chunking: 'event' },
  { format: 'openai.embeddings', stream: false, count: 5, chunking: 'random:3' },
  { format: 'openai.moderations', stream: false, count: 2, chunking: 'byte:1' },
]

/** Bytes sent one at a time take their time. */
const mostBytesOneByOne = 8000

const spread = <T>(all: readonly T[], count: number): T[] =>
  all.length <= count
    ? [...all]
    : Array.from({ length: count }, (_, n) => all[Math.floor((n * all.length) / count)] as T)

const payloadsOf = (events: string): string[] =>
  events
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())

const isUsageOnly = (payload: string): boolean => {
  if (!payload.startsWith('{')) return false
  const { choices, usage } = JSON.parse(payload) as { choices?: unknown[]; usage?: unknown }
  return choices?.length === 0 && usage !== null && usage !== undefined
}

const asksForUsage = (body: Readonly<Record<string, unknown>>): boolean =>
  (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true

/** The provider refuses the channel's key: the client learns that, but not in words about its own key. */
const isAboutCredentials = (status: number): boolean => status === 401 || status === 403

describe.skipIf(!hasWire)('the recorded exchange', () => {
  let site: Site
  let replay: Replay
  let operator: Person
  let books: Books
  let key: string

  beforeAll(async () => {
    replay = await startReplay('event')
    site = await startSite()
    operator = await signIn(site.url)
    books = openBooks(operator)
    await operator.must('PUT', '/api/user/', { id: operator.id, quota: 1_000_000_000 })
    // Models that the price table does not know may be called then.
    await operator.must('PUT', '/api/option/', { key: 'SelfUseModeEnabled', value: true })
    key = await addKey(operator)
  })
  afterAll(async () => {
    await site?.remove()
    await replay?.close()
  })

  const recordings = ({ format, stream, chunking, count }: Sample): Recording[] => {
    const fitting = replay
      .ids({ format, stream })
      .map((id) => replay.get(id))
      .filter(({ request }) => request.body !== null)
      .filter(({ response }) => chunking !== 'byte:1' || JSON.stringify(response).length < mostBytesOneByOne)
    return spread(fitting, count)
  }

  /** Ids of channels by the recording that they lead to. */
  const openChannels = async (all: readonly Recording[]): Promise<Map<string, number>> => {
    for (const { id } of all) await addChannel(operator, replay.url, { name: id, key: `wire-${id}` })
    const channels = await operator.must<Channel[]>('GET', '/api/channel/?p=0&page_size=100')
    return new Map(channels.map(({ name, id }) => [name, id]))
  }

  const bodyOf = ({ request, model }: Recording): Record<string, unknown> => ({ model, ...request.body })

  const checkAnswer = (recording: Recording, text: string): void => {
    const { sse, body, status } = recording.response
    if (isAboutCredentials(status)) {
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'credentials_failed' } })
      return
    }
    if (status >= 400) {
      const { error } = body as { error: { message: string } }
      expect((JSON.parse(text) as { error: { message: string } }).error.message).toContain(error.message)
      return
    }
    if (sse === undefined) {
      expect(JSON.parse(text)).toEqual(body)
      return
    }
    const recorded = payloadsOf(sse.join('\n')).filter((one) => asksForUsage(bodyOf(recording)) || !isUsageOnly(one))
    expect(payloadsOf(text)).toEqual(recorded.includes('[DONE]') ? recorded : [...recorded, '[DONE]'])
  }

  /** Mistral leaves audio out of the prompt and some leave reasoning out of the completion: then the total decides. */
  const checkBill = async ({ usage, response }: Recording, requestId: string): Promise<number> => {
    const entry = await books.entry(requestId)
    if (response.status >= 400) {
      expect(entry).toMatchObject({ type: 5, quota: 0 })
      return 0
    }
    const { receipt } = entry.other
    expect(entry.type).toBe(2)
    expect(receipt?.quota).toBe(entry.quota)
    expect(receipt === undefined ? undefined : sumOf(receipt)).toBe(entry.quota)
    expect(receipt?.estimated).toBe(usage.prompt === undefined)
    if (usage.prompt === undefined) return entry.quota
    const audio = usage.audio_in ?? 0
    const total = usage.total ?? usage.prompt + (usage.completion ?? 0)
    expect([usage.prompt, usage.prompt + audio]).toContain(entry.prompt_tokens)
    expect(entry.prompt_tokens + entry.completion_tokens).toBe(total)
    // One provider claims to have read more from its cache than it was sent.
    expect(entry.other.cache_tokens).toBe(Math.min(usage.cached ?? 0, entry.prompt_tokens))
    return entry.quota
  }

  const play = async (recording: Recording, channel: number | undefined): Promise<number> => {
    const answer = await fetch(`${site.url}${paths[recording.format]}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}-${channel}`, 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(recording)),
    })
    const text = await answer.text()
    const { status } = recording.response
    expect(answer.status).toBe(isAboutCredentials(status) ? 502 : status)
    checkAnswer(recording, text)
    return checkBill(recording, answer.headers.get('x-oneapi-request-id') ?? '')
  }

  it.each(samples)(
    'comes out as it was and is billed as reported: $format, stream $stream, cut by $chunking',
    async (sample) => {
      const all = recordings(sample)
      expect(all.length).toBeGreaterThan(0)
      const channels = await openChannels(all)
      await fetch(`${replay.url}/__chunking?mode=${sample.chunking}`, { method: 'POST' })
      const before = await books.balance(operator.id)
      const wrong: string[] = []
      let charged = 0
      for (const recording of all) {
        charged += await play(recording, channels.get(recording.id)).catch((error: unknown) => {
          wrong.push(`${recording.id}: ${error}`)
          return 0
        })
      }
      expect(wrong).toEqual([])
      expect(before - (await books.balance(operator.id))).toBe(charged)
    },
  )
})
