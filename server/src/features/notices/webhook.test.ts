import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver, testAuthority, testEgress } from '../../../test/support/features/receiver.ts'
import { createEgressGuard } from '../../lib/security/egress.ts'
import { quotaWarning, webhookBody } from './texts.ts'
import { createWebhookSender, DeliveryFailure, type WebhookParts } from './webhook.ts'

let receiver: Receiver
const others: Receiver[] = []
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  for (const open of [receiver, ...others.splice(0)]) await open.close()
})

const sender = (change: Partial<WebhookParts> = {}) =>
  createWebhookSender({
    egress: testEgress(),
    operatorEgress: testEgress(),
    worker: () => undefined,
    ca: testAuthority,
    ...change,
  })
const reasonOf = async (sending: Promise<void>): Promise<string> => {
  const error = await sending.catch((caught: unknown) => caught)
  return error instanceof DeliveryFailure ? error.error.textIn('zh') : `no failure: ${String(error)}`
}

const body = webhookBody(quotaWarning('＄0.100000', 'https://gate.example/')('zh'), 1_900_000_000)

describe('a webhook', () => {
  it('posts the body that the specification shows, placeholders and all', async () => {
    await sender()({ url: `${receiver.url}?a=1`, secret: '' }, body)
    const [call] = receiver.received
    expect(call).toMatchObject({ method: 'POST', path: '/hook?a=1' })
    expect(call?.headers['content-type']).toBe('application/json')
    expect(call?.headers['x-webhook-signature']).toBeUndefined()
    expect(call?.headers.authorization).toBeUndefined()
    expect(JSON.parse(call?.body ?? '')).toEqual({
      type: 'quota_exceed',
      title: '您的额度即将用尽',
      content:
        "{{value}}，当前剩余额度为 {{value}}，为了不影响您的使用，请及时充值。<br/>充值链接：<a href='{{value}}'>{{value}}</a>",
      values: ['您的额度即将用尽', '＄0.100000', 'https://gate.example/topup', 'https://gate.example/topup'],
      timestamp: 1_900_000_000,
    })
  })

  it('signs exactly the bytes it sends, and never sends the secret', async () => {
    await sender()({ url: receiver.url, secret: 'hush 🤫' }, body)
    const [call] = receiver.received
    const expected = createHmac('sha256', 'hush 🤫')
      .update(call?.body ?? '')
      .digest('hex')
    expect(call?.headers['x-webhook-signature']).toBe(expected)
    expect(JSON.stringify(call)).not.toContain('hush')
  })

  it.each([200, 201, 204, 299])('is delivered when the answer is %i', async (status) => {
    receiver.state.answer = { status }
    await sender()({ url: receiver.url, secret: '' }, body)
  })

  it.each([
    [404, '发送失败：对方返回 HTTP 404'],
    [500, '发送失败：对方返回 HTTP 500'],
  ])('fails when the answer is %i', async (status, reason) => {
    receiver.state.answer = { status }
    expect(await reasonOf(sender()({ url: receiver.url, secret: '' }, body))).toBe(reason)
  })

  it('does not follow a redirect', async () => {
    const target = await openReceiver()
    others.push(target)
    receiver.state.answer = { status: 307, headers: { location: target.url } }
    expect(await reasonOf(sender()({ url: receiver.url, secret: '' }, body))).toBe(
      '发送失败：地址返回了重定向（HTTP 307），不会跟随',
    )
    expect(target.received).toEqual([])
  })

  it('gives up on a receiver that does not answer', async () => {
    receiver.state.answer = { status: 200, never: true }
    const failing = sender({ timeoutMs: 50 })({ url: receiver.url, secret: '' }, body)
    expect(await reasonOf(failing)).toBe('发送失败：0.05 秒内没有响应')
  })

  it('gives up on a name server that does not answer', async () => {
    const unresolved = createEgressGuard({ allow: [], resolve: () => new Promise(() => undefined) })
    const failing = sender({ timeoutMs: 50, egress: unresolved })({ url: receiver.url, secret: '' }, body)
    expect(await reasonOf(failing)).toBe('发送失败：0.05 秒内没有响应')
  })

  it('refuses a certificate without a trusted signature', async () => {
    const strict = createWebhookSender({
      egress: testEgress(),
      operatorEgress: testEgress(),
      worker: () => undefined,
    })
    expect(await reasonOf(strict({ url: receiver.url, secret: '' }, body))).toMatch(
      /TLS 连接失败（.*(CERT|SIGNATURE).*）/,
    )
    expect(receiver.received).toEqual([])
  })

  it('goes over https only', async () => {
    const plain = await openReceiver({ secure: false })
    others.push(plain)
    expect(await reasonOf(sender()({ url: plain.url, secret: '' }, body))).toBe('无效的Webhook地址')
    expect(plain.received).toEqual([])
  })

  it.each(['https://mail.test', 'https://127.0.0.1', 'https://[::1]', 'https://169.254.169.254', 'https://10.0.0.1'])(
    'does not reach inside: %s',
    async (origin) => {
      const guarded = sender({ egress: testEgress([]) })
      const reason = await reasonOf(guarded({ url: `${origin}:${receiver.port}/hook`, secret: '' }, body))
      expect(reason).toMatch(/^地址 .+ 不允许访问$/)
      expect(receiver.received).toEqual([])
    },
  )

  it('connects to the address that was checked, not to one the name is given later', async () => {
    let lookups = 0
    const rebinding = createEgressGuard({
      allow: [],
      resolve: async () => [{ address: lookups++ === 0 ? '93.184.216.34' : '127.0.0.1' }],
    })
    const reason = await reasonOf(sender({ egress: rebinding })({ url: receiver.url, secret: '' }, body))
    expect(reason).toBe('地址 mail.test 不允许访问')
    expect(receiver.received).toEqual([])
  })
})

describe('through the worker', () => {
  const worker = () => ({ url: receiver.url.replace('/hook', ''), key: 'worker key' })

  it('orders the same request, with the secret as bearer and the signed body', async () => {
    const egress = createEgressGuard({ allow: [], resolve: async () => [{ address: '93.184.216.34' }] })
    await sender({ worker, egress })({ url: 'https://hooks.example/x', secret: 'hush' }, body)
    const [call] = receiver.received
    expect(call?.path).toBe('/')
    expect(JSON.parse(call?.body ?? '')).toEqual({
      url: 'https://hooks.example/x',
      key: 'worker key',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-webhook-signature': createHmac('sha256', 'hush').update(body).digest('hex'),
        authorization: 'Bearer hush',
      },
      body: JSON.parse(body),
    })
    expect(call?.body).toContain(`"body":${body}`)
  })

  it.each([
    ['https://10.0.0.1/x', '地址 10.0.0.1 不允许访问'],
    ['http://hooks.example/x', '无效的Webhook地址'],
    ['https-evil://hooks.example/x', '无效的Webhook地址'],
  ])('does not order %s', async (url, reason) => {
    expect(await reasonOf(sender({ worker })({ url, secret: '' }, body))).toBe(reason)
    expect(receiver.received).toEqual([])
  })
})
