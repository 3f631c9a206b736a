import { describe, expect, it } from 'vitest'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { drawingChannel, get, refusal, submit, taken, uuid } from '../support/gateway/drawings.ts'
import { testToken, testUser } from '../support/gateway/listener.ts'
import {
  ask,
  gateway,
  holdEnds,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'
import { openTestChannels, openTestHolds, testOptions } from '../support/relay/ports.ts'
import { testDrawing } from '../support/relay/tasks.ts'

useScene()

/** A client of Midjourney Proxy in front of a channel that is one. */

describe('the service’s answer', () => {
  it.each([
    [21, 'mj_imagine', '/mj/submit/imagine', { prompt: 'x' }, 1],
    [22, 'mj_imagine', '/mj/submit/imagine', { prompt: 'x' }, 1],
    [21, 'mj_inpaint', '/mj/submit/action', { taskId: '1001', customId: `MJ::Inpaint::1::${uuid}` }, 21],
  ])('with code %i for %s is a yes', async (code, _, path, body, expectedCode) => {
    useChannels(drawingChannel())
    gateway.tasks.drawings.push(testDrawing())
    const answer = await submit(path, body, [{ ...taken, code }])
    expect(answer.body).toEqual({ ...taken, code: expectedCode })
    expect(lastRecord()).toMatchObject({ kind: 'charge', task: { code } })
  })

  it('that a picture exists already makes a finished row', async () => {
    useChannels(drawingChannel())
    const properties = { status: 'SUCCESS', imageUrl: 'https://cdn.example/1.png' }
    await submit('/mj/submit/imagine', { prompt: 'x' }, [{ ...taken, code: 21, properties }])
    expect(lastRecord()?.task).toMatchObject({
      code: 1,
      status: 'SUCCESS',
      progress: '100%',
      imageUrl: 'https://cdn.example/1.png',
    })
  })

  it('to an upload is finished at once', async () => {
    useChannels(drawingChannel())
    const result = ['https://cdn.example/a.png', 'https://cdn.example/b.png']
    await submit('/mj/submit/upload-discord-images', { base64Array: ['x'] }, [{ ...taken, result }])
    expect(lastRecord()?.task).toMatchObject({
      taskId: result.join(','),
      status: 'SUCCESS',
      progress: '100%',
      imageUrl: result[0],
    })
  })

  it('that refuses goes to the client unchanged, costs nothing, and is stored as a failed row', async () => {
    useChannels(drawingChannel())
    const banned = { code: 24, description: '可能包含敏感词', properties: { bannedWord: 'x' } }
    expect(await submit('/mj/submit/imagine', { prompt: 'x' }, [banned])).toEqual({ status: 200, body: banned })
    expect(holdEnds()).toEqual(['released'])
    expect(lastRecord()).toMatchObject({
      kind: 'error',
      quota: 0,
      task: { taskId: '', code: 24, status: 'FAILURE', progress: '100%', failReason: '可能包含敏感词' },
    })
    expect(gateway.parts.channels.reports.at(-1)?.failure).toBeUndefined()
  })

  it.each([
    [{ code: 5, description: 'bad mj-api-secret up-secret-1 at http://10.1.2.3:8080' }, 500],
    [{ error: 'unknown secret up-secret-1' }, 401],
    [{ error: { message: 'unknown secret up-secret-1' } }, 403],
    [{ code: 30, description: 'no more for up-secret-1' }, 200],
  ])('that refuses with %j does not reveal the channel’s key or address', async (refused, status) => {
    useChannels(drawingChannel({ keys: ['up-secret-1'] }))
    const { body } = await submit('/mj/submit/imagine', { prompt: 'x' }, [refused, status])
    const record = lastRecord()
    const { keyHash: _, ...task } = record?.task ?? { keyHash: '' }
    expect(JSON.stringify([body, { ...record, task }])).not.toMatch(/up-secret-1|10\.1\.2\.3/)
    expect(record?.task?.failReason).toContain('***')
  })

  it('that accepts does not reveal the channel’s key, however often it repeats it', async () => {
    useChannels(drawingChannel({ keys: ['up-secret-1'] }))
    const refusal = {
      ...taken,
      description: 'ok for up-secret-1',
      properties: { auth: 'up-secret-1', url: 'https://a.b/c' },
    }
    const { body } = await submit('/mj/submit/imagine', { prompt: 'x' }, [refusal])
    expect(body).toEqual({ ...taken, description: 'ok for ***', properties: { auth: '***', url: 'https://a.b/c' } })
    const { keyHash: _, ...task } = lastRecord()?.task ?? { keyHash: '' }
    expect(JSON.stringify(task)).toContain('ok for ***')
    expect(JSON.stringify(task)).not.toContain('up-secret-1')
  })

  it('with a yes under another status than a success is none', async () => {
    useChannels(drawingChannel())
    expect((await submit('/mj/submit/imagine', { prompt: 'x' }, [taken, 500])).status).toBe(500)
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
    expect(holdEnds()).toEqual(['released'])
  })

  it('to a swap of faces is a yes with code 1 only', async () => {
    useChannels(drawingChannel())
    const body = { sourceBase64: 'a', targetBase64: 'b' }
    await submit('/mj/insight-face/swap', body, [{ ...taken, code: 22 }])
    expect(lastRecord()).toMatchObject({ kind: 'error' })
    await submit('/mj/insight-face/swap', body)
    expect(lastRecord()).toMatchObject({ kind: 'charge', model: 'swap_face', task: { prompt: 'InsightFace' } })
  })

  it('that it is busy becomes a 429', async () => {
    useChannels(drawingChannel())
    const answer = await submit('/mj/submit/imagine', { prompt: 'x' }, [{ code: 30, description: 'busy' }])
    expect(answer).toEqual({
      status: 429,
      body: refusal('busy', 30, '当前分组负载已饱和，请稍后再试，或升级账户以提升服务质量。'),
    })
  })

  it.each([
    ['nothing', '', 'empty_response_body'],
    ['no JSON', '<html>', 'unmarshal_response_body_failed'],
  ])('of %s is a fault of its own', async (_, body, description) => {
    useChannels(drawingChannel())
    upstream.answer = ({ response }) => response.end(body)
    const response = await ask('{"prompt":"x"}', '/mj/submit/imagine')
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual(refusal(description, 5))
    expect(holdEnds()).toEqual(['released'])
  })

  it('that never comes becomes an error, and costs nothing', async () => {
    useChannels(drawingChannel({ baseUrl: 'http://127.0.0.1:1' }))
    const response = await ask('{"prompt":"x"}', '/mj/submit/imagine')
    expect(await response.json()).toEqual(refusal('do_request_failed', 5))
    expect(holdEnds()).toEqual(['released'])
    expect(gateway.parts.channels.reports.at(-1)?.failure).toMatchObject({ code: 'do_request_failed' })
  })

  it('that no account is left is the channel’s fault, by the name that switches it off', async () => {
    useChannels(drawingChannel())
    const refusal = { code: 3, description: '无可用的账号实例' }
    expect((await submit('/mj/submit/imagine', { prompt: 'x' }, [refusal])).body).toEqual(refusal)
    expect(gateway.parts.channels.reports.at(-1)?.failure).toMatchObject({
      code: 'no_account_instance',
      message: 'No available account instance',
    })
  })
})

describe('another channel', () => {
  const tries = async (more: Partial<RelayChannel>, answer?: Parameters<typeof json>) => {
    useChannels(drawingChannel({ id: 1, priority: 9, ...more }), drawingChannel({ id: 2, keys: ['second'] }))
    gateway.parts.settings = { ...testOptions, retryTimes: 2 }
    upstream.answer = (call) => {
      const isSecond = call.headers['mj-api-secret'] === 'second'
      const [body, status] = isSecond || answer === undefined ? [taken] : answer
      json(body, status)(call)
    }
    const response = await ask('{"prompt":"x"}', '/mj/submit/imagine')
    await response.text()
    return lastRecord()?.other.admin_info
  }

  it('is asked where nothing was begun', async () => {
    expect(await tries({ baseUrl: 'http://127.0.0.1:1' })).toMatchObject({ use_channel: ['1', '2'] })
    expect(await tries({}, [{ code: 3, description: 'x' }])).toMatchObject({ use_channel: ['1', '2'] })
    expect(await tries({}, [{ code: 23, description: 'x' }])).toMatchObject({ use_channel: ['1', '2'] })
    expect(await tries({}, [{}, 401])).toMatchObject({ use_channel: ['1', '2'] })
  })

  it('is not asked where something may have been', async () => {
    expect(await tries({}, [{}, 500])).toMatchObject({ use_channel: ['1'] })
    expect(await tries({}, [{ code: 24, description: 'x' }])).toMatchObject({ use_channel: ['1'] })
  })

  it('is not asked for a drawing that only its own channel knows', async () => {
    useChannels(drawingChannel({ baseUrl: 'http://127.0.0.1:1' }), drawingChannel({ id: 2 }))
    gateway.parts.settings = { ...testOptions, retryTimes: 2 }
    gateway.tasks.drawings.push(testDrawing())
    await submit('/mj/submit/change', { taskId: '1001', action: 'REROLL' })
    expect(upstream.received).toEqual([])
    expect(lastRecord()?.other.admin_info).toMatchObject({ use_channel: ['1'] })
  })
})

describe('access', () => {
  it('needs a key, the model and a channel, with the platform’s error texts', async () => {
    useChannels(drawingChannel({ models: new Set(['mj_imagine']) }))
    gateway.tokens.set('limited', { ...testToken, modelLimits: new Set(['gpt-4o']) })
    const submitAs = async (key: string, path: string, body: object) => {
      const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
      const response = await fetch(gateway.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, body: await response.json() }
    }
    expect(await submitAs('wrong', '/mj/submit/imagine', { prompt: 'x' })).toMatchObject({
      status: 401,
      body: { code: 4, description: expect.stringContaining('无效的令牌'), type: 'upstream_error' },
    })
    expect(await submitAs('limited', '/mj/submit/imagine', { prompt: 'x' })).toMatchObject({
      status: 403,
      body: { description: expect.stringContaining('该令牌无权访问模型 mj_imagine') },
    })
    expect(await submitAs('good', '/mj/submit/blend', {})).toMatchObject({
      status: 503,
      body: { description: expect.stringContaining('当前分组 default 下对于模型 mj_blend 无可用渠道') },
    })
    expect(upstream.received).toEqual([])
  })

  it('needs the money', async () => {
    await reopenGateway({ channels: openTestChannels(drawingChannel()), holds: openTestHolds(49_999) })
    expect(await submit('/mj/submit/imagine', { prompt: 'x' })).toEqual({
      status: 400,
      body: refusal('quota_not_enough'),
    })
    expect(upstream.received).toEqual([])
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
  })

  it('is refused at once with a key that is used up', async () => {
    await reopenGateway({ channels: openTestChannels(drawingChannel()), holds: openTestHolds(-5, 'token') })
    expect(await submit('/mj/submit/imagine', { prompt: 'x' })).toEqual({
      status: 401,
      body: {
        code: 4,
        description: expect.stringMatching(/^token_spent .*该令牌额度已用尽/),
        type: 'upstream_error',
      },
    })
    expect(upstream.received).toEqual([])
    expect(lastRecord()).toMatchObject({ kind: 'error', other: { status: 401, error_code: 'token_spent' } })
  })

  it('forces a channel as an administrator', async () => {
    useChannels(drawingChannel({ priority: 9 }), drawingChannel({ id: 2, keys: ['second'], groups: new Set() }))
    gateway.tokens.set('admin', { ...testToken, user: { ...testUser, role: 10 } })
    upstream.answer = json(taken)
    const headers = { 'mj-api-secret': 'Bearer sk-admin-2', 'content-type': 'application/json' }
    await fetch(`${gateway.url}/mj/submit/imagine`, { method: 'POST', headers, body: '{"prompt":"x"}' })
    expect(upstream.received[0]?.headers['mj-api-secret']).toBe('second')
  })

  it('is limited by rate limits and blocked words, where there are any', async () => {
    useChannels(drawingChannel())
    gateway.parts.settings = {
      ...testOptions,
      sensitiveWords: ['toll'],
      rateLimit: { enabled: true, minutes: 1, count: 2, successCount: 0 },
    }
    const blocked = await submit('/mj/submit/imagine', { prompt: 'a TOLL booth' })
    expect(blocked).toMatchObject({ status: 400, body: { code: 4 } })
    expect(blocked.body.description).toContain('sensitive words detected')
    expect(upstream.received).toEqual([])
    expect((await submit('/mj/submit/imagine', { prompt: 'a booth' })).status).toBe(200)
    expect((await submit('/mj/submit/imagine', { prompt: 'a booth' })).status).toBe(429)
    expect((await get('/mj/task/1001/fetch')).status).toBe(400)
  })

  it('pays what an action costs in general where it has no price of its own', async () => {
    await reopenGateway({ channels: openTestChannels(drawingChannel()) })
    await submit('/mj/submit/blend', {})
    expect(lastRecord()?.receipt).toMatchObject({ mode: 'call', model_price: '0.1', quota: 50_000 })
  })

  it('begins nothing while nothing can be recorded', async () => {
    await reopenGateway({ channels: openTestChannels(drawingChannel()), readiness: { refusal: 'recording_failed' } })
    expect((await submit('/mj/submit/imagine', { prompt: 'x' })).status).toBe(503)
    expect(upstream.received).toEqual([])
  })
})
