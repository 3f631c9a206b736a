import { describe, expect, it } from 'vitest'
import type { RelayChannel } from '../../src/relay/ports.ts'
import {
  ask,
  channel,
  gateway,
  holdEnds,
  lastRecord,
  reopenGateway,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'
import { openTestChannels, openTestHolds, testOptions } from '../support/relay/ports.ts'
import { testSong } from '../support/relay/tasks.ts'

useScene()

/** A client of Suno API in front of a channel that is one. */

const sunoChannel = (more: Partial<RelayChannel> = {}): RelayChannel => channel({ type: 36, ...more })
const taken = { code: 'success', message: '', data: 'song-1' }

const submit = async (path: string, body: unknown, answer: Parameters<typeof json> = [taken]) => {
  upstream.answer = json(...answer)
  const response = await ask(JSON.stringify(body), path)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const refusal = (code: string, message: string) => ({ code, message, data: null })

describe('a song', () => {
  it('is created at the service, paid for once, and stored as a row with its charge', async () => {
    useChannels(sunoChannel())
    const body = { gpt_description_prompt: 'rain on a toll booth', make_instrumental: false }
    expect(await submit('/suno/submit/music', body)).toEqual({ status: 200, body: taken })
    expect(upstream.received[0]).toMatchObject({
      path: '/suno/submit/MUSIC',
      headers: { authorization: 'Bearer channel-key' },
    })
    expect(JSON.parse(sentBody())).toEqual({ ...body, mv: 'chirp-v3-0' })
    expect(lastRecord()).toMatchObject({
      kind: 'charge',
      model: 'suno_music',
      quota: 50_000,
      content: '模型固定价格 0.10，分组倍率 1.00，操作 MUSIC',
      task: {
        platform: 'suno',
        taskId: 'song-1',
        action: 'MUSIC',
        prompt: 'rain on a toll booth',
        status: 'NOT_START',
        progress: '0%',
      },
    })
    expect(holdEnds()).toEqual([50_000])
  })

  it.each([
    [{ 'x-oneapi-request-id': '20261123' }, '20261123'],
    [{}, 'song-1'],
  ])('is logged with the id that the service names it by: %j', async (headers, id) => {
    useChannels(sunoChannel())
    await submit('/suno/submit/music', { prompt: 'x' }, [taken, 200, headers])
    expect(lastRecord()).toMatchObject({ other: { admin_info: { attempts: [{ request_id: id }] } } })
  })

  it('keeps the version that its client chose; lyrics have none', async () => {
    useChannels(channel({ type: 1 }))
    await submit('/suno/submit/MUSIC', { prompt: 'x', mv: 'chirp-v4' })
    expect(JSON.parse(sentBody())).toEqual({ prompt: 'x', mv: 'chirp-v4' })
    await submit('/suno/submit/Lyrics', { prompt: 'x' })
    expect(sentBody()).toBe('{"prompt":"x"}')
    expect(lastRecord()?.model).toBe('suno_lyrics')
  })

  it.each([
    ['/suno/submit/dance', { prompt: 'x' }, 'invalid_request', 'invalid_action'],
    ['/suno/submit/lyrics', {}, 'invalid_request', 'prompt_empty'],
    ['/suno/submit/music', { continue_clip_id: 'c' }, 'invalid_request', 'task id is empty'],
    ['/suno/submit/music', { continue_clip_id: 'c', task_id: 'others' }, 'task_not_exist', 'task_origin_not_exist'],
    ['/suno/submit/music', { continue_clip_id: 'c', task_id: 'lost' }, 'channel_not_found', 'channel_not_found'],
    ['/suno/submit/music', { continue_clip_id: 'c', task_id: 'off' }, 'task_channel_disable', '该任务所属渠道已被禁用'],
  ])('%s with %j is refused: %s %s', async (path, body, code, message) => {
    useChannels(sunoChannel(), sunoChannel({ id: 2, enabled: false }))
    gateway.tasks.songs.push(
      testSong({ task_id: 'others', user_id: 8 }),
      testSong({ task_id: 'lost', channel_id: 99 }),
      testSong({ task_id: 'off', channel_id: 2 }),
    )
    expect(await submit(path, body)).toEqual({ status: 400, body: refusal(code, message) })
    expect(upstream.received).toEqual([])
    expect(holdEnds()).toEqual([])
  })

  it('has an address for calls of its service, unless its client states one', async () => {
    useChannels(sunoChannel())
    gateway.tasks.hooks = 'https://gate.example/hooks'
    await submit('/suno/submit/music', { prompt: 'x', mv: 'chirp-v5' })
    const notify_hook = `https://gate.example/hooks/suno/${lastRecord()?.id}`
    expect(JSON.parse(sentBody())).toEqual({ prompt: 'x', mv: 'chirp-v5', notify_hook })
    await submit('/suno/submit/lyrics', { prompt: 'x', notify_hook: 'https://me.example' })
    expect(JSON.parse(sentBody())).toEqual({ prompt: 'x', notify_hook: 'https://me.example' })
  })

  it('that continues a clip goes to the channel that has it', async () => {
    const second = sunoChannel({ id: 2, keys: ['second'], priority: -1 })
    useChannels(sunoChannel({ baseUrl: 'http://127.0.0.1:1', priority: 9 }), second)
    gateway.tasks.songs.push(testSong({ channel_id: 2 }))
    await submit('/suno/submit/music', { continue_clip_id: 'c', task_id: 's-1' })
    expect(upstream.received[0]?.headers.authorization).toBe('Bearer second')
  })

  it.each([
    [{ code: 'error', message: 'no credit' }, 200, 500, refusal('error', 'no credit')],
    [{ code: 'success', data: null }, 200, 500, refusal('invalid_response', 'the answer names no task')],
    [{ detail: 'bad' }, 418, 418, refusal('fail_to_fetch_task', '{"detail":"bad"}')],
    [{ detail: 'slow' }, 429, 429, refusal('fail_to_fetch_task', '当前分组上游负载已饱和，请稍后再试')],
  ])('answered with %j and %i costs nothing and returns %i', async (body, status, expectedStatus, words) => {
    useChannels(sunoChannel())
    expect(await submit('/suno/submit/music', {}, [body, status])).toEqual({ status: expectedStatus, body: words })
    expect(holdEnds()).toEqual(['released'])
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0, task: { taskId: '', status: 'FAILURE' } })
    expect(gateway.parts.recorder.records).toHaveLength(1)
  })

  it('never shows the channel’s key or address', async () => {
    useChannels(sunoChannel())
    const { body } = await submit('/suno/submit/music', {}, [{ detail: `channel-key at ${upstream.url}` }, 400])
    expect(body.message).toBe('{"detail":"*** at ***"}')
  })

  it('that cannot be sent to the service is an error, and is tried at another channel', async () => {
    useChannels(sunoChannel({ baseUrl: 'http://127.0.0.1:1' }))
    expect(await submit('/suno/submit/music', {})).toEqual({
      status: 500,
      body: refusal('do_request_failed', '请求上游地址失败'),
    })
    gateway.parts.settings = { ...testOptions, retryTimes: 1 }
    useChannels(sunoChannel({ baseUrl: 'http://127.0.0.1:1', priority: 9 }), sunoChannel({ id: 2 }))
    expect((await submit('/suno/submit/music', {})).status).toBe(200)
  })

  it('needs the money', async () => {
    await reopenGateway({ channels: openTestChannels(sunoChannel()), holds: openTestHolds(49_999) })
    expect(await submit('/suno/submit/music', {})).toEqual({
      status: 403,
      body: refusal('quota_not_enough', 'user quota is not enough'),
    })
    expect(upstream.received).toEqual([])
  })

  it('is refused at once with a key that is used up', async () => {
    await reopenGateway({ channels: openTestChannels(sunoChannel()), holds: openTestHolds(-5, 'token') })
    expect(await submit('/suno/submit/music', {})).toEqual({
      status: 401,
      body: refusal('token_spent', expect.stringContaining('该令牌额度已用尽')),
    })
    expect(upstream.received).toEqual([])
    expect(lastRecord()).toMatchObject({ kind: 'error', other: { status: 401, error_code: 'token_spent' } })
  })

  it('needs a key, with the platform’s error texts', async () => {
    const response = await fetch(`${gateway.url}/suno/submit/music`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'token_missing', data: null })
  })
})

describe('asking after songs', () => {
  it('answers one’s own', async () => {
    gateway.tasks.songs.push(testSong(), testSong({ task_id: 'others', user_id: 8 }))
    const item = {
      task_id: 's-1',
      action: 'MUSIC',
      status: 'SUCCESS',
      fail_reason: '',
      submit_time: 1_763_600_000,
      start_time: 0,
      finish_time: 0,
      progress: '100%',
      data: [{ id: 'clip' }],
    }
    const get = (path: string) => fetch(gateway.url + path, { headers: { authorization: 'Bearer sk-good' } })
    expect(await (await get('/suno/fetch/s-1')).json()).toEqual({ code: 'success', message: '', data: item })
    const missing = await get('/suno/fetch/others')
    expect([missing.status, await missing.json()]).toEqual([400, refusal('task_not_exist', 'task_not_exist')])
    const several = await ask({ ids: ['s-1', 'others'] }, '/suno/fetch')
    expect(await several.json()).toEqual({ code: 'success', message: '', data: [item] })
    expect(await (await ask({}, '/suno/fetch')).json()).toEqual({ code: 'success', message: '', data: [] })
  })
})
