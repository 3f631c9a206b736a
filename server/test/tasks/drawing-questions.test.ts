import { describe, expect, it } from 'vitest'
import type { GatewayPorts } from '../../src/gateway/ports.ts'
import { AppError } from '../../src/lib/app-error.ts'
import { drawingChannel, get, refusal } from '../support/gateway/drawings.ts'
import { openTestGateway } from '../support/gateway/listener.ts'
import { ask, gateway, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'
import { testDrawing } from '../support/relay/tasks.ts'

useScene()

/** A client of Midjourney Proxy in front of a channel that is one. */

describe('asking after drawings', () => {
  const finished = testDrawing({
    image_url: 'https://cdn.example/1.png',
    buttons: JSON.stringify([{ customId: 'a', emoji: '', label: 'U1', type: 2, style: 2 }]),
    properties: JSON.stringify({ finalPrompt: 'booth', finalZhPrompt: '' }),
  })

  it('answers one’s own in the form of the service', async () => {
    gateway.tasks.drawings.push(finished, testDrawing({ mj_id: 'others', user_id: 8 }))
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
    expect(gateway.parts.recorder.records).toEqual([])
  })

  it('shows previews anew each time, and the service’s own address where that is wanted', async () => {
    gateway.tasks.drawings.push({ ...finished, status: 'IN_PROGRESS', progress: '50%' })
    const seen = async () => ((await (await get('/mj/task/1001/fetch')).json()) as { imageUrl: string }).imageUrl
    expect(await seen()).toMatch(/^https:\/\/gate\.example\/mj\/image\/1001\?rand=\d+$/)
    gateway.tasks.options = { ...gateway.tasks.options, forwardImages: false }
    expect(await seen()).toBe('https://cdn.example/1.png')
  })

  it('lists several, one’s own only', async () => {
    gateway.tasks.drawings.push(finished, testDrawing({ mj_id: '1002' }), testDrawing({ mj_id: 'others', user_id: 8 }))
    const response = await ask({ ids: ['1001', 1002, 'others', null] }, '/mj/task/list-by-condition')
    expect(((await response.json()) as { id: string }[]).map(({ id }) => id)).toEqual(['1001', '1002'])
    expect(await (await ask({}, '/mj/task/list-by-condition')).json()).toEqual([])
  })

  it('passes the question for a seed on to the channel that drew it', async () => {
    useChannels(drawingChannel())
    gateway.tasks.drawings.push(testDrawing(), testDrawing({ mj_id: 'off', channel_id: 9 }))
    upstream.answer = json({ code: 1, result: '42' })
    expect(await (await get('/mj/task/1001/image-seed')).json()).toEqual({ code: 1, result: '42' })
    expect(upstream.received[0]?.path).toBe('/mj/task/1001/image-seed')
    expect(await (await get('/mj/task/others/image-seed')).json()).toEqual(refusal('task_no_found'))
    expect(await (await get('/mj/task/off/image-seed')).json()).toEqual(refusal('get_channel_info_failed'))
    expect(upstream.received).toHaveLength(1)
  })

  it.each([
    [{ code: 1, result: '42', properties: { secret: 'up-secret-1' } }, 200, { secret: '***' }],
    [{ code: 4, description: 'secret up-secret-1 is not for http://10.1.2.3:8080' }, 403, undefined],
  ])('does not reveal the channel’s key with a seed: %j', async (seed, status, properties) => {
    useChannels(drawingChannel({ keys: ['up-secret-1'] }))
    gateway.tasks.drawings.push(testDrawing())
    upstream.answer = json(seed, status)
    const body = (await (await get('/mj/task/1001/image-seed')).json()) as { properties?: unknown }
    expect(JSON.stringify(body)).not.toMatch(/up-secret-1|10\.1\.2\.3/)
    expect(body.properties).toEqual(properties)
  })

  it('believes nothing that a callback says, but asks the service', async () => {
    gateway.tasks.drawings.push(testDrawing({ status: 'IN_PROGRESS', progress: '10%' }))
    const forged = { id: '1001', status: 'FAILURE', failReason: 'pay me back', imageUrl: 'http://10.0.0.1/' }
    const response = await ask(forged, '/mj/notify')
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(gateway.tasks.refreshed).toEqual(['1001'])
    expect(gateway.tasks.drawings[0]).toMatchObject({ status: 'IN_PROGRESS', image_url: '' })
    expect(await (await ask({ id: 'others' }, '/mj/notify')).json()).toEqual(refusal('midjourney_task_not_found'))
    expect(await (await ask({}, '/mj/notify')).json()).toEqual(refusal('bind_request_body_failed'))
    const without = await fetch(`${gateway.url}/mj/notify`, { method: 'POST', body: '{"id":"1001"}' })
    expect(without.status).toBe(401)
  })
})

describe('pictures', () => {
  const withPictures = (drawingPicture: GatewayPorts['drawingPicture']) =>
    openTestGateway({ gateway: { drawingPicture } })

  it('that do not exist are answered as the service answers them', async () => {
    const missing = await fetch(`${gateway.url}/mj/image/none`)
    expect([missing.status, await missing.json()]).toEqual([400, { error: 'midjourney_task_not_found' }])
  })

  it('that cannot be downloaded are answered without the reason', async () => {
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
