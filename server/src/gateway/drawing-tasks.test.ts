import { describe, expect, it } from 'vitest'
import { AppError } from '../lib/app-error.ts'
import type { RelayChannel } from '../relay/ports.ts'
import { testDrawing } from '../relay/tasks/testing-tasks.ts'
import { openTestChannels, openTestHolds, testOptions } from '../relay/testing-ports.ts'
import type { DoorParts } from './ports.ts'
import { openTestDoor, testStanding, testUser } from './testing-door.ts'
import {
  ask,
  channel,
  door,
  holdEnds,
  lastRecord,
  reopenDoor,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from './testing-scene.ts'
import { json } from './testing-upstream.ts'

useScene()

/** A client of Midjourney Proxy in front of a channel that is one. */

const drawingChannel = (more: Partial<RelayChannel> = {}): RelayChannel => channel({ type: 2, ...more })

const taken = { code: 1, description: '提交成功', result: '1730621826053455', properties: {} }

const submit = async (path: string, body: unknown, answer: Parameters<typeof json> = [taken]) => {
  upstream.answer = json(...answer)
  const response = await ask(JSON.stringify(body), path)
  return { status: response.status, body: JSON.parse((await response.text()) || 'null') as Record<string, unknown> }
}

const get = (path: string): Promise<Response> =>
  fetch(door.url + path, { headers: { authorization: 'Bearer midjourney-proxy', 'mj-api-secret': 'sk-good' } })

const refusal = (description: string, code = 4, result = '') => ({
  code,
  description: `${description} ${result}`,
  type: 'upstream_error',
})

const uuid = '3dbbd469-36af-4a0f-8f02-df6c579e7011'

describe('a drawing', () => {
  it('is begun at the service, paid for once, and kept as a row with its charge', async () => {
    useChannels(drawingChannel())
    const told = await submit('/mj/submit/imagine', { prompt: 'a toll booth', base64Array: [] })
    expect(told).toEqual({ status: 200, body: taken })
    expect(upstream.received).toHaveLength(1)
    expect(upstream.received[0]).toMatchObject({
      path: '/mj/submit/imagine',
      headers: { 'mj-api-secret': 'channel-key' },
    })
    expect(upstream.received[0]?.headers.authorization).toBeUndefined()
    expect(lastRecord()).toMatchObject({
      kind: 'charge',
      model: 'mj_imagine',
      quota: 50_000,
      promptTokens: 0,
      completionTokens: 0,
      content: '模型固定价格 0.10，分组倍率 1.00，操作 IMAGINE，ID 1730621826053455',
      other: { model_price: 0.1, group_ratio: 1, admin_info: { use_channel: ['1'] } },
      receipt: { mode: 'call', lines: [{ item: 'call', quantity: 1, price: '1' }], model_price: '0.1', quota: 50_000 },
      task: {
        platform: 'midjourney',
        taskId: '1730621826053455',
        action: 'IMAGINE',
        code: 1,
        prompt: 'a toll booth',
        status: 'SUBMITTED',
        progress: '0%',
        keyHash: 'hash of channel-key',
      },
    })
    expect(holdEnds()).toEqual([50_000])
  })

  it.each([
    ['/mj-fast/mj/submit/imagine', '/mj/submit/imagine'],
    ['/mj-relax/mj/submit/imagine?a=b', '/mj/submit/imagine?a=b'],
    ['/mj-turbo/mj/submit/imagine?key=sk-good', '/mj/submit/imagine'],
    ['/other/mj/submit/imagine', '/other/mj/submit/imagine'],
  ])('%s goes to %s', async (path, sent) => {
    useChannels(drawingChannel())
    expect((await submit(path, { prompt: 'x' })).status).toBe(200)
    expect(upstream.received[0]?.path).toBe(sent)
  })

  it.each([
    ['/mj/submit/describe', { base64: 'x' }, 'mj_describe'],
    ['/mj/submit/shorten', { prompt: 'x' }, 'mj_shorten'],
    ['/mj/submit/blend', { base64Array: [] }, 'mj_blend'],
    ['/mj/submit/upload-discord-images', { base64Array: [] }, 'mj_upload'],
    ['/mj/insight-face/swap', { sourceBase64: 'a', targetBase64: 'b' }, 'swap_face'],
    ['/mj/submit/modal', { taskId: '1001', prompt: 'x' }, 'mj_modal'],
    ['/mj/submit/change', { taskId: '1001', action: 'UPSCALE', index: 1 }, 'mj_upscale'],
    ['/mj/submit/change', { taskId: '1001', action: 'VARIATION', index: 4 }, 'mj_variation'],
    ['/mj/submit/change', { taskId: '1001', action: 'REROLL' }, 'mj_reroll'],
    ['/mj/submit/simple-change', { content: '1001 U2' }, 'mj_upscale'],
    ['/mj/submit/simple-change', { content: '1001 v3' }, 'mj_variation'],
    ['/mj/submit/simple-change', { content: ' 1001  R ' }, 'mj_reroll'],
    ['/mj/submit/action', { taskId: '1001', customId: `MJ::JOB::upsample::2::${uuid}` }, 'mj_upscale'],
    ['/mj/submit/action', { taskId: '1001', customId: `MJ::JOB::variation::1::${uuid}` }, 'mj_variation'],
    ['/mj/submit/action', { taskId: '1001', customId: `MJ::JOB::low_variation::1::${uuid}::SOLO` }, 'mj_low_variation'],
    ['/mj/submit/action', { taskId: '1001', customId: `MJ::JOB::high_variation::1::${uuid}` }, 'mj_high_variation'],
    ['/mj/submit/action', { taskId: '1001', customId: `MJ::JOB::pan_left::1::${uuid}` }, 'mj_pan'],
    ['/mj/submit/action', { taskId: '1001', customId: `MJ::JOB::reroll::0::${uuid}` }, 'mj_reroll'],
    ['/mj/submit/action', { taskId: '1001', customId: `MJ::Outpaint::50::1::${uuid}` }, 'mj_zoom'],
    ['/mj/submit/action', { taskId: '1001', customId: `MJ::CustomZoom::${uuid}` }, 'mj_custom_zoom'],
    ['/mj/submit/action', { taskId: '1001', customId: `MJ::Inpaint::1::${uuid}` }, 'mj_inpaint'],
  ])('%s with %j is %s', async (path, body, model) => {
    useChannels(drawingChannel())
    door.tasks.drawings.push(testDrawing())
    expect((await submit(path, body)).status).toBe(200)
    expect(sentBody()).toBe(JSON.stringify(body))
    const free = model === 'mj_inpaint' || model === 'mj_custom_zoom'
    expect(lastRecord()).toMatchObject({ kind: 'charge', model, quota: free ? 0 : 50_000 })
    expect(holdEnds()).toEqual(free ? [] : [50_000])
  })

  it.each([
    ['/mj/submit/imagine', {}, 'prompt_is_required'],
    ['/mj/submit/change', { action: 'UPSCALE', index: 1 }, 'task_id_is_required'],
    ['/mj/submit/change', { taskId: '1001' }, 'action_is_required'],
    ['/mj/submit/change', { taskId: '1001', action: 'STEAL' }, 'unknown_action'],
    ['/mj/submit/change', { taskId: '1001', action: 'UPSCALE' }, 'index_is_required'],
    ['/mj/submit/change', { taskId: 'unknown', action: 'UPSCALE', index: 1 }, 'task_not_found'],
    ['/mj/submit/change', { taskId: 'others', action: 'UPSCALE', index: 1 }, 'task_not_found'],
    ['/mj/submit/change', { taskId: 'running', action: 'UPSCALE', index: 1 }, 'task_status_not_success'],
    ['/mj/submit/change', { taskId: 'lost', action: 'UPSCALE', index: 1 }, 'get_channel_info_failed'],
    ['/mj/submit/change', { taskId: 'off', action: 'UPSCALE', index: 1 }, '该任务所属渠道已被禁用'],
    ['/mj/submit/simple-change', { content: '1001 U5' }, 'content_parse_failed'],
    ['/mj/submit/simple-change', {}, 'content_parse_failed'],
    ['/mj/submit/action', { taskId: '1001' }, 'custom_id_is_required'],
    ['/mj/submit/action', { customId: `MJ::JOB::reroll::0::${uuid}` }, 'task_id_is_required'],
    ['/mj/submit/action', { taskId: '1001', customId: 'MJ' }, 'unknown_action'],
    ['/mj/submit/action', { taskId: '1001', customId: 'MJ::Dance::1' }, 'unknown_action:MJ::Dance::1'],
    ['/mj/submit/action', { taskId: '1001', customId: 'MJ::JOB::upsample::x::1' }, 'index_parse_failed'],
    ['/mj/submit/modal', { prompt: 'x' }, 'task_id_is_required'],
    ['/mj/insight-face/swap', { sourceBase64: 'a' }, 'sour_base64_and_target_base64_is_required'],
  ])('%s with %j is refused: %s', async (path, body, description) => {
    useChannels(drawingChannel(), drawingChannel({ id: 2, enabled: false }))
    door.tasks.drawings.push(
      testDrawing(),
      testDrawing({ mj_id: 'others', user_id: 8 }),
      testDrawing({ mj_id: 'running', status: 'IN_PROGRESS', progress: '10%' }),
      testDrawing({ mj_id: 'lost', channel_id: 99 }),
      testDrawing({ mj_id: 'off', channel_id: 2 }),
    )
    expect(await submit(path, body)).toEqual({ status: 400, body: refusal(description) })
    expect(upstream.received).toEqual([])
    expect(holdEnds()).toEqual([])
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
    expect(lastRecord()?.task).toBeUndefined()
  })

  it('that goes on from another one goes to its channel and key, whatever routing would say', async () => {
    const other = channel({ type: 2, id: 5, priority: -5, keys: ['key-a', 'key-b'], groups: new Set(['vip']) })
    useChannels(drawingChannel({ priority: 100, baseUrl: 'http://127.0.0.1:1' }), other)
    door.tasks.drawings.push(testDrawing({ channel_id: 5, key_hash: 'hash of key-b' }))
    await submit('/mj/submit/change', { taskId: '1001', action: 'UPSCALE', index: 1 })
    expect(upstream.received[0]?.headers['mj-api-secret']).toBe('key-b')
    expect(lastRecord()).toMatchObject({ channelId: 5, task: { prompt: 'a toll booth', keyHash: 'hash of key-b' } })
  })

  it('may go on from an unfinished one for a modal, or where the operator allows it', async () => {
    useChannels(drawingChannel())
    door.tasks.drawings.push(testDrawing({ status: 'MODAL', progress: '0%' }))
    expect((await submit('/mj/submit/modal', { taskId: '1001' })).status).toBe(200)
    door.tasks.options = { ...door.tasks.options, needsSuccess: false }
    expect((await submit('/mj/submit/change', { taskId: '1001', action: 'REROLL' })).status).toBe(200)
  })

  it('names no other drawing than the one that was looked at', async () => {
    useChannels(drawingChannel())
    door.tasks.drawings.push(testDrawing())
    await submit('/mj/submit/modal', { taskId: '1001', TaskID: 'others', prompt: 'x' })
    expect(JSON.parse(sentBody())).toEqual({ taskId: '1001', prompt: 'x' })
  })
})

describe('what operators switch', () => {
  const body = { prompt: 'a --fast b --relax --turbo --v 6', notifyHook: 'https://me.example', accountFilter: { a: 1 } }

  it('takes callbacks and account filters out unless they are allowed', async () => {
    useChannels(drawingChannel())
    await submit('/mj/submit/imagine', body)
    expect(JSON.parse(sentBody())).toEqual({ prompt: body.prompt })
    door.tasks.options = { ...door.tasks.options, notify: true, accountFilter: true }
    await submit('/mj/submit/imagine', body)
    expect(JSON.parse(sentBody())).toEqual(body)
  })

  it('takes modes out of prompts', async () => {
    useChannels(drawingChannel())
    door.tasks.options = { ...door.tasks.options, clearModes: true }
    await submit('/mj/submit/imagine', body)
    expect(JSON.parse(sentBody())).toEqual({ prompt: 'a b --v 6' })
  })
})

describe('the service’s answer', () => {
  it.each([
    [21, 'mj_imagine', '/mj/submit/imagine', { prompt: 'x' }, 1],
    [22, 'mj_imagine', '/mj/submit/imagine', { prompt: 'x' }, 1],
    [21, 'mj_inpaint', '/mj/submit/action', { taskId: '1001', customId: `MJ::Inpaint::1::${uuid}` }, 21],
  ])('with code %i for %s is a yes', async (code, _, path, body, told) => {
    useChannels(drawingChannel())
    door.tasks.drawings.push(testDrawing())
    const answer = await submit(path, body, [{ ...taken, code }])
    expect(answer.body).toEqual({ ...taken, code: told })
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

  it('that refuses goes to the client as it is, costs nothing, and is kept as a failed row', async () => {
    useChannels(drawingChannel())
    const banned = { code: 24, description: '可能包含敏感词', properties: { bannedWord: 'x' } }
    expect(await submit('/mj/submit/imagine', { prompt: 'x' }, [banned])).toEqual({ status: 200, body: banned })
    expect(holdEnds()).toEqual(['released'])
    expect(lastRecord()).toMatchObject({
      kind: 'error',
      quota: 0,
      task: { taskId: '', code: 24, status: 'FAILURE', progress: '100%', failReason: '可能包含敏感词' },
    })
    expect(door.parts.channels.reports.at(-1)?.failure).toBeUndefined()
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

  it('that it is busy is told with 429', async () => {
    useChannels(drawingChannel())
    const told = await submit('/mj/submit/imagine', { prompt: 'x' }, [{ code: 30, description: 'busy' }])
    expect(told).toEqual({
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

  it('that never comes is told, and costs nothing', async () => {
    useChannels(drawingChannel({ baseUrl: 'http://127.0.0.1:1' }))
    const response = await ask('{"prompt":"x"}', '/mj/submit/imagine')
    expect(await response.json()).toEqual(refusal('do_request_failed', 5))
    expect(holdEnds()).toEqual(['released'])
    expect(door.parts.channels.reports.at(-1)?.failure).toMatchObject({ code: 'do_request_failed' })
  })

  it('that no account is left is the channel’s fault, by the name that switches it off', async () => {
    useChannels(drawingChannel())
    const told = { code: 3, description: '无可用的账号实例' }
    expect((await submit('/mj/submit/imagine', { prompt: 'x' }, [told])).body).toEqual(told)
    expect(door.parts.channels.reports.at(-1)?.failure).toMatchObject({
      code: 'no_account_instance',
      message: 'No available account instance',
    })
  })
})

describe('another channel', () => {
  const tries = async (more: Partial<RelayChannel>, answer?: Parameters<typeof json>) => {
    useChannels(drawingChannel({ id: 1, priority: 9, ...more }), drawingChannel({ id: 2, keys: ['second'] }))
    door.parts.settings = { ...testOptions, retryTimes: 2 }
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
    door.parts.settings = { ...testOptions, retryTimes: 2 }
    door.tasks.drawings.push(testDrawing())
    await submit('/mj/submit/change', { taskId: '1001', action: 'REROLL' })
    expect(upstream.received).toEqual([])
    expect(lastRecord()?.other.admin_info).toMatchObject({ use_channel: ['1'] })
  })
})

describe('who may', () => {
  it('needs a key, the model and a channel, in the words of the platform', async () => {
    useChannels(drawingChannel({ models: new Set(['mj_imagine']) }))
    door.standings.set('limited', { ...testStanding, modelLimits: new Set(['gpt-4o']) })
    const asked = async (key: string, path: string, body: object) => {
      const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
      const response = await fetch(door.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, body: await response.json() }
    }
    expect(await asked('wrong', '/mj/submit/imagine', { prompt: 'x' })).toMatchObject({
      status: 401,
      body: { code: 4, description: expect.stringContaining('无效的令牌'), type: 'upstream_error' },
    })
    expect(await asked('limited', '/mj/submit/imagine', { prompt: 'x' })).toMatchObject({
      status: 403,
      body: { description: expect.stringContaining('该令牌无权访问模型 mj_imagine') },
    })
    expect(await asked('good', '/mj/submit/blend', {})).toMatchObject({
      status: 503,
      body: { description: expect.stringContaining('当前分组 default 下对于模型 mj_blend 无可用渠道') },
    })
    expect(upstream.received).toEqual([])
  })

  it('needs the money', async () => {
    await reopenDoor({ channels: openTestChannels(drawingChannel()), holds: openTestHolds(49_999) })
    expect(await submit('/mj/submit/imagine', { prompt: 'x' })).toEqual({
      status: 400,
      body: refusal('quota_not_enough'),
    })
    expect(upstream.received).toEqual([])
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
  })

  it('forces a channel as an administrator', async () => {
    useChannels(drawingChannel({ priority: 9 }), drawingChannel({ id: 2, keys: ['second'], groups: new Set() }))
    door.standings.set('admin', { ...testStanding, user: { ...testUser, role: 10 } })
    upstream.answer = json(taken)
    const headers = { 'mj-api-secret': 'Bearer sk-admin-2', 'content-type': 'application/json' }
    await fetch(`${door.url}/mj/submit/imagine`, { method: 'POST', headers, body: '{"prompt":"x"}' })
    expect(upstream.received[0]?.headers['mj-api-secret']).toBe('second')
  })

  it('is held to the limit of calls and to blocked words, where there are any', async () => {
    useChannels(drawingChannel())
    door.parts.settings = {
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
    await reopenDoor({ channels: openTestChannels(drawingChannel()) })
    await submit('/mj/submit/blend', {})
    expect(lastRecord()?.receipt).toMatchObject({ mode: 'call', model_price: '0.1', quota: 50_000 })
  })

  it('begins nothing while nothing can be recorded', async () => {
    await reopenDoor({ channels: openTestChannels(drawingChannel()), ready: () => false })
    expect((await submit('/mj/submit/imagine', { prompt: 'x' })).status).toBe(503)
    expect(upstream.received).toEqual([])
  })
})

describe('asking after drawings', () => {
  const finished = testDrawing({
    image_url: 'https://cdn.example/1.png',
    buttons: JSON.stringify([{ customId: 'a', emoji: '', label: 'U1', type: 2, style: 2 }]),
    properties: JSON.stringify({ finalPrompt: 'booth', finalZhPrompt: '' }),
  })

  it('answers one’s own in the form of the service', async () => {
    door.tasks.drawings.push(finished, testDrawing({ mj_id: 'others', user_id: 8 }))
    const response = await get('/mj-fast/mj/task/1001/fetch')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      id: '1001',
      action: 'IMAGINE',
      customId: '',
      botType: '',
      prompt: 'a toll booth',
      promptEn: '',
      description: '',
      state: '',
      submitTime: 1_763_600_000_000,
      startTime: 0,
      finishTime: 0,
      imageUrl: 'https://gate.example/mj/image/1001',
      status: 'SUCCESS',
      progress: '100%',
      failReason: '',
      buttons: [{ customId: 'a', emoji: '', label: 'U1', type: 2, style: 2 }],
      maskBase64: '',
      properties: { finalPrompt: 'booth', finalZhPrompt: '' },
    })
    const missing = await get('/mj/task/others/fetch')
    expect(missing.status).toBe(400)
    expect(await missing.json()).toEqual(refusal('task_no_found'))
    expect(door.parts.recorder.records).toEqual([])
  })

  it('shows previews anew each time, and the service’s own address where that is wanted', async () => {
    door.tasks.drawings.push({ ...finished, status: 'IN_PROGRESS', progress: '50%' })
    const seen = async () => ((await (await get('/mj/task/1001/fetch')).json()) as { imageUrl: string }).imageUrl
    expect(await seen()).toMatch(/^https:\/\/gate\.example\/mj\/image\/1001\?rand=\d+$/)
    door.tasks.options = { ...door.tasks.options, forwardImages: false }
    expect(await seen()).toBe('https://cdn.example/1.png')
  })

  it('lists several, one’s own only', async () => {
    door.tasks.drawings.push(finished, testDrawing({ mj_id: '1002' }), testDrawing({ mj_id: 'others', user_id: 8 }))
    const response = await ask({ ids: ['1001', 1002, 'others', null] }, '/mj/task/list-by-condition')
    expect(((await response.json()) as { id: string }[]).map(({ id }) => id)).toEqual(['1001', '1002'])
    expect(await (await ask({}, '/mj/task/list-by-condition')).json()).toEqual([])
  })

  it('passes the question for a seed on to the channel that drew it', async () => {
    useChannels(drawingChannel())
    door.tasks.drawings.push(testDrawing(), testDrawing({ mj_id: 'off', channel_id: 9 }))
    upstream.answer = json({ code: 1, result: '42' })
    expect(await (await get('/mj/task/1001/image-seed')).json()).toEqual({ code: 1, result: '42' })
    expect(upstream.received[0]?.path).toBe('/mj/task/1001/image-seed')
    expect(await (await get('/mj/task/others/image-seed')).json()).toEqual(refusal('task_no_found'))
    expect(await (await get('/mj/task/off/image-seed')).json()).toEqual(refusal('get_channel_info_failed'))
    expect(upstream.received).toHaveLength(1)
  })

  it('believes nothing that a callback says, but asks the service', async () => {
    door.tasks.drawings.push(testDrawing({ status: 'IN_PROGRESS', progress: '10%' }))
    const forged = { id: '1001', status: 'FAILURE', failReason: 'pay me back', imageUrl: 'http://10.0.0.1/' }
    const response = await ask(forged, '/mj/notify')
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(door.tasks.refreshed).toEqual(['1001'])
    expect(door.tasks.drawings[0]).toMatchObject({ status: 'IN_PROGRESS', image_url: '' })
    expect(await (await ask({ id: 'others' }, '/mj/notify')).json()).toEqual(refusal('midjourney_task_not_found'))
    expect(await (await ask({}, '/mj/notify')).json()).toEqual(refusal('bind_request_body_failed'))
    const without = await fetch(`${door.url}/mj/notify`, { method: 'POST', body: '{"id":"1001"}' })
    expect(without.status).toBe(401)
  })
})

describe('pictures', () => {
  const withPictures = (drawingPicture: DoorParts['drawingPicture']) => openTestDoor({ door: { drawingPicture } })

  it('that are nowhere are told as the service tells them', async () => {
    const missing = await fetch(`${door.url}/mj/image/none`)
    expect([missing.status, await missing.json()]).toEqual([400, { error: 'midjourney_task_not_found' }])
  })

  it('that cannot be fetched are told, without saying why', async () => {
    const broken = await withPictures(() => Promise.reject(new AppError('address_blocked', { params: { host: 'x' } })))
    const response = await fetch(`${broken.url}/mj-fast/mj/image/1001`)
    expect([response.status, await response.json()]).toEqual([500, { error: 'http_get_image_failed' }])
    await broken.close()
  })

  it('are passed on as pictures that can run nothing, and broken off where they break off', async () => {
    const pixels = async function* (whole: boolean) {
      yield Buffer.from('pixels')
      if (!whole) throw new Error('gone')
    }
    const shown = await withPictures(async (id) => ({ type: 'image/png', parts: pixels(id === 'whole') }))
    const response = await fetch(`${shown.url}/mj/image/whole`)
    expect([response.status, await response.text()]).toEqual([200, 'pixels'])
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    await expect(fetch(`${shown.url}/mj/image/half`).then((half) => half.text())).rejects.toThrow()
    await shown.close()
  })
})
