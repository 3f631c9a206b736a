import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { type NoticeSite, openNoticeSite } from '../../../test/support/features/notices.ts'

describeEachEngine('the notification settings', (open) => {
  let site: NoticeSite
  beforeAll(async () => {
    site = await openNoticeSite(await open())
  })
  afterAll(() => site.close())

  const webhook = () => ({
    notify_type: 'webhook',
    quota_warning_threshold: 100_000,
    webhook_url: site.receiver.url,
    webhook_secret: 'hush',
    notification_email: '',
  })

  it('are saved with the exact texts of the API, and apply at once', async () => {
    const user = await site.person()
    const answer = await user.call('PUT', '/api/user/setting', webhook())
    expect(answer.json).toEqual({ success: true, message: '设置已更新' })
    expect(site.site.changed).toContain(user.id)
    const shown = (await user.call('GET', '/api/user/self')).json.data as { setting: string }
    expect(JSON.parse(shown.setting)).toEqual({
      notify_type: 'webhook',
      quota_warning_threshold: 100_000,
      webhook_url: site.receiver.url,
      webhook_secret_set: true,
    })
  })

  it('never give the secret away: not in the database, an answer, or the trail', async () => {
    const user = await site.person()
    await user.call('PUT', '/api/user/setting', webhook())
    const root = await site.site.signIn('root', 'root password')
    const answers = [
      await user.call('GET', '/api/user/self'),
      await root.call('GET', `/api/user/${user.id}`),
      await root.call('GET', '/api/user/?p=1&page_size=100'),
    ].map(({ text }) => text)
    const { query } = site.site.database
    const trail = await query.selectFrom('audit').selectAll().where('object_id', '=', String(user.id)).execute()
    const texts = [...answers, JSON.stringify(trail), (await site.stored(user.id)).setting].join()
    expect(texts).not.toContain('hush')
    expect(answers.join()).not.toContain('cipher')
    // The path of a webhook is a secret too.
    expect(`${answers[1]}${answers[2]}${JSON.stringify(trail)}`).not.toContain('/hook')
    expect(trail).toMatchObject([{ action: 'user.setting', actor_id: user.id }])
    expect(JSON.parse(trail[0]?.after ?? '')).toMatchObject({ notify_type: 'webhook', webhook_secret: '***' })
  })

  it('change nothing else of the account, whatever is charged meanwhile', async () => {
    const user = await site.person()
    const { query } = site.site.database
    const before = await site.stored(user.id)
    await user.call('PUT', '/api/user/setting', { accept_unset_model_ratio_model: true })
    const { setting, ...rest } = await site.stored(user.id)
    expect(rest).toEqual({ ...before, setting: undefined, last_login_time: before.last_login_time })
    expect(JSON.parse(setting)).toEqual({ notify_type: 'email', accept_unset_model_ratio_model: true })
    await query.deleteFrom('audit').where('object_id', '=', String(user.id)).execute()
  })

  it('keep both changes of two windows that save at the same moment', async () => {
    const user = await site.person()
    const changes = [
      { quota_warning_threshold: 7 },
      { notification_email: 'a@b.example' },
      { accept_unset_model_ratio_model: true },
    ]
    const answers = await Promise.all(changes.map((change) => user.call('PUT', '/api/user/setting', change)))
    expect(answers.map(({ json }) => json.success)).toEqual([true, true, true])
    expect(JSON.parse((await site.stored(user.id)).setting)).toEqual({
      notify_type: 'email',
      quota_warning_threshold: 7,
      notification_email: 'a@b.example',
      accept_unset_model_ratio_model: true,
    })
  })

  it('keep what many windows save at the same moment', async () => {
    const user = await site.person()
    const thresholds = Array.from({ length: 12 }, (_, index) => index + 1)
    const answers = await Promise.all(
      thresholds.map((quota_warning_threshold) => user.call('PUT', '/api/user/setting', { quota_warning_threshold })),
    )
    expect(answers.map(({ json }) => json.success)).toEqual(thresholds.map(() => true))
  })

  it.each([
    ['https://127.0.0.1/x', '地址 127.0.0.1 不允许访问'],
    ['https://169.254.169.254/latest', '地址 169.254.169.254 不允许访问'],
    ['https://inside.test/x', '地址 inside.test 不允许访问'],
    ['http://mail.test/x', '无效的Webhook地址'],
  ])('refuse the address %s', async (webhook_url, message) => {
    const user = await site.person()
    const answer = await user.call('PUT', '/api/user/setting', { ...webhook(), webhook_url })
    expect([answer.status, answer.json.message]).toEqual([200, message])
  })

  it('refuse what is not of the right shape, and visitors', async () => {
    const user = await site.person()
    const answer = await user.call('PUT', '/api/user/setting', { quota_warning_threshold: 'many' })
    expect(answer.json.message).toBe('无效的参数')
    expect((await site.site.call('PUT', '/api/user/setting', { body: webhook() })).status).toBe(401)
  })
})

describeEachEngine('a test notice', (open) => {
  let site: NoticeSite
  beforeAll(async () => {
    site = await openNoticeSite(await open())
  })
  afterAll(() => site.close())

  it('goes to a webhook for real, with settings that are not saved yet', async () => {
    const user = await site.person({ quota_warning_threshold: 5 })
    const change = { notify_type: 'webhook', webhook_url: site.receiver.url, webhook_secret: 'hush' }
    const answer = await user.call('POST', '/api/user/setting/test', change)
    expect(answer.json.data).toMatchObject({ way: 'webhook', to: new URL(site.receiver.url).host })
    const call = site.receiver.received.at(-1)
    expect(call?.headers['x-webhook-signature']).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ type: 'test', title: '测试通知', values: ['＄0.002000'] })
    expect((await site.stored(user.id)).setting).toBe('{"quota_warning_threshold":5}')
  })

  it('goes to the notification address, else to that of the account', async () => {
    const user = await site.person({}, { email: 'account@example.com' })
    expect((await user.call('POST', '/api/user/setting/test', {})).json.data).toMatchObject({
      way: 'email',
      to: 'account@example.com',
    })
    await user.call('POST', '/api/user/setting/test', { notification_email: 'other@example.com' })
    expect(site.smtp.mails.map(({ to }) => to)).toEqual([['account@example.com'], ['other@example.com']])
    expect(site.smtp.mails[0]?.subject).toBe('测试通知')
    expect(site.smtp.mails[0]?.body).toContain('当前余额为 ＄0.002000。')
  })

  it('says what went wrong', async () => {
    const user = await site.person({ notify_type: 'webhook', webhook_url: site.receiver.url })
    site.receiver.state.answer = { status: 418 }
    const answer = await user.call('POST', '/api/user/setting/test', {})
    site.receiver.state.answer = { status: 200 }
    expect(answer.json).toMatchObject({
      success: false,
      code: 'notice_answered',
      message: '发送失败：对方返回 HTTP 418',
    })
  })

  it('says that there is nowhere to send it', async () => {
    const user = await site.person()
    const answer = await user.call('POST', '/api/user/setting/test', {})
    expect(answer.json.message).toBe('没有可用的通知地址，请先填写')
  })

  it('can be repeated, but not to pester a stranger', async () => {
    const user = await site.person({}, { email: 'stranger@example.com' })
    const test = async () => (await user.call('POST', '/api/user/setting/test', {})).json.code
    for (let times = 0; times < 10; times += 1) expect(await test()).toBeUndefined()
    expect(await test()).toBe('notice_test_too_soon')
    site.site.state.now += 600_000
    expect(await test()).toBeUndefined()
  })
})
