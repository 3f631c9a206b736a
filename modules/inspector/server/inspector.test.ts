import { role } from '@tollgate/contract'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { decimal } from '#server/billing/decimal.ts'
import type { Database } from '#server/db/database.ts'
import { openAudit } from '#server/features/audit/audit.ts'
import type { RankedActor } from '#server/http/actor.ts'
import { silentLog } from '#server/lib/log.ts'
import { openBus } from '#server/lib/redis/bus.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import { joinedCaptures } from '#server/relay/joined-captures.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openTestGateway, type TestGateway, testUser } from '#server-test/support/gateway/listener.ts'
import { openSession, openTestRealtime, type TestRealtime } from '#server-test/support/gateway/realtime.ts'
import {
  chunk,
  done,
  json,
  openTestUpstream,
  stream,
  type TestUpstream,
  usageChunk,
} from '#server-test/support/gateway/upstream.ts'
import { openTestChannels, testChannel } from '#server-test/support/relay/ports.ts'
import { type CaptureWriter, openCaptures } from './captures.ts'
import { cutRulesOf } from './cut-rules.ts'
import { createInspector, type Inspector } from './inspector.ts'
import { openRunningInspections, type RunningInspections } from './running-inspections.ts'
import { type InspectorStore, openInspectorStore } from './store.ts'

const secrets = openSecrets({ cryptoSecret: 'inspector test', keyFile: '' })
const root: RankedActor = { id: 1, username: 'root', role: role.root, ip: '' }
const admin: RankedActor = { id: 2, username: 'boss', role: role.admin, ip: '' }

describeEachEngine('the inspector', (open) => {
  let database: Database
  let store: InspectorStore
  let running: RunningInspections
  let captures: CaptureWriter
  let inspector: Inspector
  let upstream: TestUpstream
  let sessions: TestRealtime
  let gateway: TestGateway
  let now = Date.now()
  let settings: { access: 'admin' | 'root' | 'off'; sandboxUser: number }
  let limits: { bodyBytes: number; totalBytes: number; keepSeconds: number }

  beforeAll(async () => {
    database = await open()
  })

  beforeEach(async () => {
    now = Date.now()
    settings = { access: 'admin', sandboxUser: 0 }
    limits = { bodyBytes: 100_000, totalBytes: 10_000_000, keepSeconds: 3600 }
    const clock = (): number => now
    const failed = (error: unknown): void => {
      throw error
    }
    await database.query.deleteFrom('captures').execute()
    await database.query.deleteFrom('inspections').execute()
    await database.query.deleteFrom('audit').execute()
    store = openInspectorStore({ database, secrets })
    running = await openRunningInspections({ store, bus: openBus({ nodeName: 'a', log: silentLog }), clock, failed })
    const rules = cutRulesOf(['user', 'metadata.mail'])
    captures = openCaptures({
      store,
      running,
      clock,
      failed,
      enabled: () => settings.access !== 'off',
      limits: () => limits,
      rules: () => rules,
    })
    upstream = await openTestUpstream()
    sessions = await openTestRealtime()
    const channels = openTestChannels(
      testChannel({
        baseUrl: upstream.url,
        models: new Set(['m']),
        modelMapping: new Map([['m', 'm-large']]),
        keys: ['secret-channel-key'],
      }),
      testChannel({
        id: 2,
        name: 'two',
        baseUrl: upstream.url,
        models: new Set(['other']),
        keys: ['secret-channel-key'],
        passthrough: { groups: new Set(['default']), keys: new Set(), paths: [], shared: true, price: decimal(0.01) },
      }),
      testChannel({ id: 3, type: 2, baseUrl: upstream.url, models: new Set(['mj_imagine']) }),
      testChannel({ id: 4, baseUrl: sessions.url, models: new Set(['gpt-realtime']), keys: ['secret-channel-key'] }),
    )
    const relay = { channels, captures: joinedCaptures([captures]), inspections: captures, clock }
    gateway = await openTestGateway({ relay })
    inspector = createInspector({
      store,
      running,
      captures,
      clock,
      things: {
        user: async (id) => (id === 7 ? testUser : { ...testUser, id, username: 'boss', role: id === 1 ? 100 : 10 }),
        token: async (id) => (id === 3 ? { name: 'main', userId: 7 } : undefined),
        channel: (id) => channels.snapshot().byId(id),
      },
      replays: {
        takes: (path) => gateway.listener.replays.takes(path),
        send: (replay) => gateway.listener.replays.send(replay),
      },
      record: openAudit(database, clock).record,
      settings: () => ({ ...settings, keepSeconds: limits.keepSeconds }),
    })
  })

  afterEach(async () => {
    await gateway.close()
    await upstream.close()
    await sessions.close()
    running.close()
  })

  const ask = async (more: Record<string, unknown> = {}, path = '/v1/chat/completions'): Promise<Response> => {
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more }),
    })
    await response.text()
    return response
  }

  const start = (kind: 'token' | 'user' | 'channel', id: number, actor = admin) =>
    inspector.start(actor, { kind, target_id: id, minutes: 10, reason: 'ticket 5' })

  const all = async (actor = admin) => {
    await gateway.listener.over()
    await captures.idle()
    return (await inspector.captures(actor, { p: 1, page_size: 10, inspection: undefined, request_id: '' })).items
  }

  const only = async () => {
    const [row, ...others] = await all()
    if (row === undefined || others.length > 0) throw new Error(`one capture was expected, not ${others.length}`)
    return inspector.capture(admin, row.id)
  }

  const actions = async (): Promise<string[]> =>
    (await database.query.selectFrom('audit').select('action').orderBy('id').execute()).map(({ action }) => action)

  it('captures nothing unless it was asked for', async () => {
    await ask()
    expect(await all()).toEqual([])
    expect(gateway.parts.recorder.records.at(-1)?.other.inspected).toBeUndefined()
  })

  it('stores the client’s body, what went upstream, and the answer on both sides, and says so in the record', async () => {
    const { id } = await start('token', 3)
    await ask({ temperature: 0.5 })
    const { content, changes, ...row } = await only()
    expect(row).toMatchObject({
      inspection_id: id,
      username: 'ann',
      token_name: 'main',
      channel_id: 1,
      model: 'm',
      status: 200,
      prompt_tokens: 10,
      completion_tokens: 5,
      pinned: false,
      replay: 'possible',
    })
    expect(JSON.parse(content.client.body.text)).toMatchObject({ model: 'm', temperature: 0.5 })
    expect(JSON.parse(content.attempts[0]?.body.text ?? '')).toMatchObject({ model: 'm-large', temperature: 0.5 })
    expect(JSON.parse(content.attempts[0]?.answer.text ?? '')).toMatchObject({ object: 'chat.completion' })
    expect(JSON.parse(content.answer.body.text)).toMatchObject({ object: 'chat.completion' })
    expect(content.text).toBe('hello')
    expect(changes).toEqual([{ path: 'model', before: '"m"', after: '"m-large"' }])
    expect(gateway.parts.recorder.records.at(-1)?.other.inspected).toBe(true)
    expect(await actions()).toEqual(['inspector.started', 'inspector.read'])
  })

  it('stores no secrets: keys, headers and the fields of the option are cut out, and the rest is encrypted', async () => {
    await start('user', 7)
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'session=1' })
      response.end('{"echo":"secret-channel-key","choices":[{"message":{"content":"hi"}}],"usage":{"prompt_tokens":1}}')
    }
    await ask({
      user: 'ann@home',
      metadata: { mail: 'a@b.c' },
      tools: [{ authorization: 'Bearer sk-1234567890abcdefgh' }],
    })
    const { content } = await only()
    const stored = JSON.stringify(content)
    for (const secret of ['secret-channel-key', 'ann@home', 'a@b.c', 'sk-1234567890', 'session=1', 'sk-good'])
      expect(stored, secret).not.toContain(secret)
    expect(content.attempts[0]?.headers).toContainEqual(['authorization', '[cut]'])
    const [row] = await database.query.selectFrom('captures').select('content_cipher').execute()
    expect(row?.content_cipher).not.toContain('messages')
  })

  it('keeps the beginning of long bodies and streams only, and lets the client have all of it', async () => {
    limits.bodyBytes = 300
    await start('user', 7)
    const text = 'a long word '.repeat(200)
    upstream.answer = stream(...Array.from({ length: 200 }, () => chunk('a long word ')), usageChunk(3, 400), done)
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: text }] }),
    })
    expect((await response.text()).match(/a long word/g)).toHaveLength(200)
    const { content, replay } = await only()
    for (const body of [content.client.body, content.answer.body, content.attempts[0]?.answer]) {
      expect(body?.cut).toBe(true)
      expect(body?.bytes).toBeGreaterThan(2000)
      expect(body?.text.length).toBeLessThan(320)
    }
    expect(content.answer.body.kind).toBe('stream')
    expect(replay).toBe('not_whole')
  })

  it('captures failures with what the client got', async () => {
    await start('channel', 1)
    upstream.answer = ({ response }) => response.writeHead(400).end('{"error":{"message":"bad words"}}')
    const response = await ask()
    const { content, status } = await only()
    expect(status).toBe(response.status)
    expect(content.attempts[0]).toMatchObject({ status: 400 })
    expect(content.answer.body.text).toContain('bad words')
    expect(gateway.parts.recorder.records.at(-1)).toMatchObject({ kind: 'error', other: { inspected: true } })
  })

  it('captures at an inspected channel only what goes there', async () => {
    await start('channel', 2)
    await ask()
    expect(await all()).toEqual([])
    expect(gateway.parts.recorder.records.at(-1)?.other.inspected).toBeUndefined()
    await ask({ model: 'other' })
    expect(await all()).toMatchObject([{ channel_id: 2, model: 'other' }])
  })

  it('ends by itself, when it is stopped, and when it is switched off', async () => {
    const { id } = await start('user', 7)
    expect(await inspector.own(7)).toMatchObject({ until: Math.floor(now / 1000) + 600, keys: [] })
    settings.access = 'off'
    await ask()
    settings.access = 'admin'
    now += 601_000
    await ask()
    expect(await inspector.own(7)).toEqual({ until: 0, keys: [] })
    const second = await start('token', 3)
    expect(await inspector.own(7)).toMatchObject({ keys: ['main'] })
    await inspector.stop(admin, second.id)
    await ask()
    expect(await all()).toEqual([])
    expect((await inspector.list(admin)).map((row) => [row.id, row.running])).toEqual([
      [second.id, false],
      [id, false],
    ])
    expect(await actions()).toEqual(['inspector.started', 'inspector.started', 'inspector.stop'])
  })

  it('is gone after its time, unless it is pinned', async () => {
    await start('user', 7)
    await ask()
    await ask()
    const [pinned, loose] = await all()
    if (pinned === undefined || loose === undefined) throw new Error('two captures were expected')
    await inspector.pin(admin, pinned.id, true)
    now += 3_700_000
    await expect(inspector.capture(admin, loose.id)).rejects.toMatchObject({ code: 'not_found' })
    await store.purge(Math.floor(now / 1000))
    expect((await all()).map(({ id }) => id)).toEqual([pinned.id])
    now += 31 * 86_400_000
    await store.purge(Math.floor(now / 1000))
    expect(await all()).toEqual([])
  })

  it('keeps all captures together within a bound: the oldest make room', async () => {
    await start('user', 7)
    for (let call = 0; call < 4; call += 1) await ask()
    const rows = await all()
    await inspector.pin(admin, rows[3]?.id ?? 0, true)
    limits.totalBytes = rows.slice(0, 2).reduce((sum, { bytes }) => sum + bytes, 0) + (rows[0]?.bytes ?? 0)
    await ask()
    const left = (await all()).map(({ id }) => id)
    expect(left).toHaveLength(3)
    expect(left).toContain(rows[3]?.id)
    expect(left).not.toContain(rows[2]?.id)
  })

  it('is for administrators, for root alone, or for no one, and never about a user of the same rank', async () => {
    await expect(start('user', 9)).rejects.toMatchObject({ code: 'permission_denied' })
    settings.access = 'root'
    await expect(start('user', 7)).rejects.toMatchObject({ code: 'permission_denied' })
    await expect(all()).rejects.toMatchObject({ code: 'permission_denied' })
    await start('user', 7, root)
    settings.access = 'off'
    await expect(inspector.list(root)).rejects.toMatchObject({ code: 'inspector_off' })
  })

  it('sends a pinned capture again, to another channel or model, on the account that is set, and charges it there', async () => {
    await start('user', 7)
    await ask()
    const [row] = await all()
    const id = row?.id ?? 0
    await expect(inspector.replay(admin, id, { channel_id: 0, model: '' })).rejects.toMatchObject({
      code: 'inspector_not_pinned',
    })
    await inspector.pin(admin, id, true)
    settings.sandboxUser = 5
    const replayed = await inspector.replay(admin, id, { channel_id: 2, model: 'other' })
    const charge = gateway.parts.recorder.records.at(-1)
    expect(charge).toMatchObject({ kind: 'charge', userId: 5, tokenId: 0, channelId: 2, model: 'other' })
    const replay = await inspector.capture(admin, replayed)
    expect(replay).toMatchObject({ replay_of: id, channel_id: 2, model: 'other', quota: charge?.quota })
    expect(replay.content.text).toBe('hello')
    expect((await inspector.capture(admin, id)).replays).toEqual([replayed])
    expect(await actions()).toContain('inspector.replay')
  })

  it('captures direct calls, without the key of the channel', async () => {
    await start('channel', 2)
    upstream.answer = json({ id: 'batch_1', key: 'secret-channel-key' })
    await ask({ input_file_id: 'file-1', metadata: { mail: 'a@b.c' } }, '/p/2/v1/batches?a=b')
    const { content, ...row } = await only()
    expect(row).toMatchObject({ path: '/p/2/v1/batches', status: 200, channel_id: 2, model: 'm', quota: 5000 })
    expect(row.replay).toBe('not_this_kind')
    await inspector.pin(admin, row.id, true)
    await expect(inspector.replay(admin, row.id, { channel_id: 0, model: '' })).rejects.toMatchObject({
      code: 'inspector_not_this_kind',
    })
    expect(content.attempts[0]).toMatchObject({ url: `${upstream.url}/v1/batches?a=b`, status: 200 })
    expect(JSON.parse(content.attempts[0]?.body.text ?? '')).toMatchObject({ input_file_id: 'file-1' })
    expect(JSON.parse(content.answer.body.text)).toMatchObject({ id: 'batch_1' })
    expect(JSON.stringify(content)).not.toMatch(/secret-channel-key|a@b\.c/)
    expect(gateway.parts.recorder.records.at(-1)?.other.inspected).toBe(true)
  })

  it('captures tasks', async () => {
    await start('user', 7)
    upstream.answer = json({ code: 1, description: 'taken', result: '17', properties: {} })
    await ask({ prompt: 'a gate' }, '/mj/submit/imagine')
    const { content, ...row } = await only()
    expect(row).toMatchObject({
      path: '/mj/submit/imagine',
      status: 200,
      channel_id: 3,
      model: 'mj_imagine',
      replay: 'not_this_kind',
    })
    expect(JSON.parse(content.client.body.text)).toMatchObject({ prompt: 'a gate' })
    expect(content.attempts[0]?.url).toBe(`${upstream.url}/mj/submit/imagine`)
    expect(JSON.parse(content.attempts[0]?.answer.text ?? '')).toMatchObject({ result: '17' })
    expect(JSON.parse(content.answer.body.text)).toMatchObject({ code: 1, result: '17' })
  })

  it('captures sessions: messages of both sides, with the length of sound', async () => {
    await start('token', 3)
    const client = await openSession(gateway.url)
    await client.next('session.created')
    const audio = 'A'.repeat(4000)
    sessions.answer = (_, session) => session.say({ type: 'response.output_audio.delta', delta: audio })
    client.say({ type: 'input_audio_buffer.append', audio })
    await client.next('response.output_audio.delta')
    client.socket.close()
    await client.closed
    const { content, ...row } = await only()
    expect(row).toMatchObject({ path: '/v1/realtime', status: 101, channel_id: 4, model: 'gpt-realtime' })
    expect(content.client.body.text).toBe('{"type":"input_audio_buffer.append","audio":"[4000 characters]"}\n')
    expect(content.attempts[0]).toMatchObject({ status: 101, body: { text: content.client.body.text } })
    expect(content.answer.body.text).toContain('"type":"session.created"')
    expect(content.answer.body.text).toContain('"delta":"[4000 characters]"')
    expect(row.replay).toBe('not_this_kind')
  })
})
