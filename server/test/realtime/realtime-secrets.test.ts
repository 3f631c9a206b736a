import OpenAI from 'openai'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSession, refusedSession, responseCreated, responseDone } from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import {
  channel,
  gateway,
  record,
  reopen,
  upstream,
  usage,
  useChannels,
  useSessions,
} from '../support/gateway/sessions.ts'

/** Keys for browsers: they open sessions that the key pays for which made them. */

useSessions()

let now = 1_900_000_000_000
beforeEach(async () => {
  now = 1_900_000_000_000
  await reopen({ clock: () => now })
  useChannels(channel())
})

const client = (apiKey = 'sk-good') => new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 })

const session = { type: 'realtime', model: 'gpt-realtime', instructions: 'Be brief.' } as const

const make = () =>
  client().realtime.clientSecrets.create({ session, expires_after: { anchor: 'created_at', seconds: 60 } })

describe('a client secret', () => {
  it('opens a session with its settings, billed to the key that made it', async () => {
    const secret = await make()
    expect(secret).toMatchObject({ expires_at: now / 1000 + 60, session: { ...session, object: 'realtime.session' } })
    expect(secret.value).toMatch(/^ek_/)
    const browser = await openSession(gateway.url, {
      key: '',
      query: '',
      protocols: ['realtime', `openai-insecure-api-key.${secret.value}`],
    })
    await browser.next('session.created')
    await until(() => upstream.sessions[0]?.received.length === 1)
    expect(JSON.parse(upstream.sessions[0]?.received[0] ?? '')).toEqual({
      type: 'session.update',
      session: { type: 'realtime', instructions: 'Be brief.' },
    })
    expect(upstream.paths).toEqual(['/v1/realtime?model=gpt-realtime'])
    upstream.sessions[0]?.say(responseCreated('r'), responseDone(usage, 'r'))
    await browser.next('response.done')
    browser.socket.close()
    expect(await record()).toMatchObject({ kind: 'charge', userId: 7, tokenId: 3, quota: 5300 })
  })

  it('ends in time; a session that began before goes on', async () => {
    const { value } = await make()
    const early = await openSession(gateway.url, { key: value, query: '' })
    now += 61_000
    const late = await refusedSession(gateway.url, { key: value, query: '' })
    expect([late.status, late.body]).toMatchObject([401, { error: { message: expect.stringContaining('expired') } }])
    early.say({ type: 'response.create' })
    await until(() => upstream.sessions[0]?.received.length === 2)
    early.socket.close()
    await record()
  })

  it('is good for its own model and for nothing else', async () => {
    const { value } = await make()
    const other = await refusedSession(gateway.url, { key: value, query: '?model=gpt-4o' })
    expect([other.status, other.body]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('gpt-realtime') } },
    ])
    for (const call of [client(value).models.list(), client(value).realtime.clientSecrets.create({ session })])
      await expect(call).rejects.toMatchObject({ status: 401 })
    const forged = await refusedSession(gateway.url, { key: `${value.slice(0, -4)}AAAA`, query: '' })
    expect(forged.status).toBe(401)
    expect(value).not.toContain('good')
  })

  it.each([
    ['no model', { session: { type: 'realtime' } }],
    ['a life of a second', { session, expires_after: { seconds: 1 } }],
    ['a session that fits into no header', { session: { ...session, instructions: 'x'.repeat(9_000) } }],
  ])('is not made with %s', async (_, body) => {
    const headers = { authorization: 'Bearer sk-good', 'content-type': 'application/json' }
    const answer = await fetch(`${gateway.url}/v1/realtime/client_secrets`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { type: expect.any(String) } }])
  })

  it('comes in the form of the beta, too', async () => {
    const beta = await client().beta.realtime.sessions.create({ model: 'gpt-realtime' as never, voice: 'alloy' })
    expect(beta).toMatchObject({ object: 'realtime.session', client_secret: { value: expect.stringMatching(/^ek_/) } })
    const transcripts = await client().beta.realtime.transcriptionSessions.create({
      input_audio_transcription: { model: 'gpt-4o-transcribe' },
    })
    expect(transcripts).toMatchObject({ object: 'realtime.transcription_session' })
    expect(transcripts.client_secret.expires_at).toBe(now / 1000 + 60)
  })
})

describe('a session for transcripts', () => {
  const transcript = { type: 'conversation.item.input_audio_transcription.completed', transcript: 'Hello' }
  const transcriptUsage = {
    type: 'tokens',
    total_tokens: 120,
    input_tokens: 100,
    output_tokens: 20,
    input_token_details: { audio_tokens: 100, text_tokens: 0 },
  }
  const update = (model: string) => ({
    type: 'session.update',
    session: { type: 'transcription', audio: { input: { transcription: { model } } } },
  })

  beforeEach(() => {
    upstream.greeting = [{ type: 'session.created', session: { type: 'transcription' } }]
    useChannels(channel({ modelMapping: new Map([['scribe', 'gpt-4o-transcribe']]) as never }))
  })

  it('names its model to the channel in events only, and is billed by its transcripts', async () => {
    useChannels(channel())
    const opened = await openSession(gateway.url, { query: '?intent=transcription&model=gpt-4o' })
    await opened.next('session.created')
    expect(upstream.paths).toEqual(['/v1/realtime?intent=transcription'])
    opened.say(update('gpt-4o'))
    await until(() => upstream.sessions[0]?.received.length === 1)
    upstream.sessions[0]?.say({ ...transcript, usage: transcriptUsage })
    await opened.next(transcript.type)
    opened.socket.close()
    expect(await record()).toMatchObject({
      kind: 'charge',
      model: 'gpt-4o',
      completionTokens: 20,
      other: { audio_input: 100 },
      receipt: { estimated: false },
    })
  })

  it('keeps to the model that it is paid for', async () => {
    useChannels(channel())
    const opened = await openSession(gateway.url, { query: '?intent=transcription&model=gpt-4o' })
    opened.say(update('gpt-4o-transcribe'))
    expect(await opened.next('error')).toMatchObject({ error: { message: expect.stringContaining('gpt-4o') } })
    expect(upstream.sessions[0]?.received).toEqual([])
    opened.socket.close()
    await record()
  })

  it('needs a model', async () => {
    const refused = await refusedSession(gateway.url, { query: '?intent=transcription' })
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('model') } },
    ])
  })
})
