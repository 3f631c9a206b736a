import { describe, expect, it } from 'vitest'
import { drawingChannel, refusal, submit, taken, uuid } from '../support/gateway/drawings.ts'
import {
  channel,
  gateway,
  holdEnds,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { testDrawing } from '../support/relay/tasks.ts'

useScene()

/** A client of Midjourney Proxy in front of a channel that is one. */

describe('a drawing', () => {
  it('is created at the service, paid for once, and stored as a row with its charge', async () => {
    useChannels(drawingChannel())
    const answer = await submit('/mj/submit/imagine', { prompt: 'a toll booth', base64Array: [] })
    expect(answer).toEqual({ status: 200, body: taken })
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
    gateway.tasks.drawings.push(testDrawing())
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
    gateway.tasks.drawings.push(
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
    gateway.tasks.drawings.push(testDrawing({ channel_id: 5, key_hash: 'hash of key-b' }))
    await submit('/mj/submit/change', { taskId: '1001', action: 'UPSCALE', index: 1 })
    expect(upstream.received[0]?.headers['mj-api-secret']).toBe('key-b')
    expect(lastRecord()).toMatchObject({ channelId: 5, task: { prompt: 'a toll booth', keyHash: 'hash of key-b' } })
  })

  it('may go on from an unfinished one for a modal, or where the operator allows it', async () => {
    useChannels(drawingChannel())
    gateway.tasks.drawings.push(testDrawing({ status: 'MODAL', progress: '0%' }))
    expect((await submit('/mj/submit/modal', { taskId: '1001' })).status).toBe(200)
    gateway.tasks.options = { ...gateway.tasks.options, needsSuccess: false }
    expect((await submit('/mj/submit/change', { taskId: '1001', action: 'REROLL' })).status).toBe(200)
  })

  it('names no other drawing than the one that was looked at', async () => {
    useChannels(drawingChannel())
    gateway.tasks.drawings.push(testDrawing())
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
    gateway.tasks.options = { ...gateway.tasks.options, notify: true, accountFilter: true }
    await submit('/mj/submit/imagine', body)
    expect(JSON.parse(sentBody())).toEqual(body)
  })

  it('gives each drawing an address for calls of its service, unless its client states one', async () => {
    useChannels(drawingChannel())
    gateway.tasks.hooks = 'https://gate.example/hooks'
    await submit('/mj/submit/imagine', { prompt: 'a' })
    expect(JSON.parse(sentBody())).toEqual({ prompt: 'a' })
    gateway.tasks.options = { ...gateway.tasks.options, notify: true }
    await submit('/mj/submit/imagine', { prompt: 'a', notifyHook: '' })
    const notifyHook = `https://gate.example/hooks/midjourney/${lastRecord()?.id}`
    expect(JSON.parse(sentBody())).toEqual({ prompt: 'a', notifyHook })
    await submit('/mj/submit/imagine', { prompt: 'a', notifyHook: 'https://me.example' })
    expect(JSON.parse(sentBody())).toEqual({ prompt: 'a', notifyHook: 'https://me.example' })
    await submit('/mj/submit/upload-discord-images', { base64Array: [] })
    expect(JSON.parse(sentBody())).toEqual({ base64Array: [] })
  })

  it('takes modes out of prompts', async () => {
    useChannels(drawingChannel())
    gateway.tasks.options = { ...gateway.tasks.options, clearModes: true }
    await submit('/mj/submit/imagine', body)
    expect(JSON.parse(sentBody())).toEqual({ prompt: 'a b --v 6' })
  })
})
