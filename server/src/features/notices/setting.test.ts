import { describe, expect, it } from 'vitest'
import { AppError } from '../../lib/app-error.ts'
import { changedSetting, readSetting, type StoredSetting, thresholdOf } from './setting.ts'

const encrypt = (secret: string): string => `cipher of ${secret}`
const changed = (stored: StoredSetting, change: Parameters<typeof changedSetting>[1]) =>
  JSON.parse(JSON.stringify(changedSetting(stored, change, encrypt)))
const refusal = (stored: StoredSetting, change: Parameters<typeof changedSetting>[1]): string => {
  try {
    changedSetting(stored, change, encrypt)
    return 'accepted'
  } catch (error) {
    return error instanceof AppError ? error.textIn('zh') : String(error)
  }
}

const webhook: StoredSetting = {
  notify_type: 'webhook',
  quota_warning_threshold: 100_000,
  webhook_url: 'https://hooks.example/x',
  webhook_secret_cipher: 'cipher of old',
}

describe('a change of the settings', () => {
  it.each([
    [{ notify_type: 'pigeon' }, '无效的预警类型'],
    [{ notify_type: '' }, '无效的预警类型'],
    [{ quota_warning_threshold: 0 }, '预警阈值必须大于0'],
    [{ quota_warning_threshold: -1 }, '预警阈值必须大于0'],
    [{ notify_type: 'webhook' }, 'Webhook地址不能为空'],
    [{ notify_type: 'webhook', webhook_url: '  ' }, 'Webhook地址不能为空'],
    [{ notify_type: 'webhook', webhook_url: 'not a url' }, '无效的Webhook地址'],
    [{ notify_type: 'webhook', webhook_url: '/relative' }, '无效的Webhook地址'],
    [{ notify_type: 'webhook', webhook_url: 'http://hooks.example/x' }, '无效的Webhook地址'],
    [{ notify_type: 'webhook', webhook_url: 'https://me:pw@hooks.example/x' }, '无效的Webhook地址'],
    [{ notify_type: 'email', notification_email: 'nobody' }, '无效的邮箱地址'],
    [{ notify_type: 'email', notification_email: 'a@b.example;c@d.example' }, '无效的邮箱地址'],
  ])('is refused: %j', (change, message) => {
    expect(refusal({}, change)).toBe(message)
  })

  it('leaves what it does not name', () => {
    expect(changed(webhook, { accept_unset_model_ratio_model: true })).toEqual({
      ...webhook,
      accept_unset_model_ratio_model: true,
    })
  })

  it('keeps the other way when the way changes, also when its fields come empty', () => {
    const email = changed(webhook, {
      notify_type: 'email',
      webhook_url: '',
      webhook_secret: '',
      notification_email: 'me@example.com',
    })
    expect(email).toEqual({ ...webhook, notify_type: 'email', notification_email: 'me@example.com' })
    expect(changed(email, { notify_type: 'webhook', notification_email: '' })).toEqual({
      ...webhook,
      notification_email: 'me@example.com',
    })
  })

  it('empties the address of the way in use', () => {
    const stored: StoredSetting = { notify_type: 'email', notification_email: 'me@example.com' }
    expect(changed(stored, { notification_email: '' })).toEqual({ notify_type: 'email' })
    expect(refusal(webhook, { webhook_url: '' })).toBe('Webhook地址不能为空')
  })

  it('keeps the secret when it comes empty, replaces it when it comes, removes it on null', () => {
    expect(changed(webhook, { webhook_secret: '' }).webhook_secret_cipher).toBe('cipher of old')
    expect(changed(webhook, { webhook_secret: 'new' }).webhook_secret_cipher).toBe('cipher of new')
    expect(changed(webhook, { webhook_secret: null })).not.toHaveProperty('webhook_secret_cipher')
  })

  it('encrypts a secret that an older database has in clear', () => {
    const { webhook_secret_cipher: _, ...older } = webhook
    const saved = changed({ ...older, webhook_secret: 'clear' }, {})
    expect(saved.webhook_secret_cipher).toBe('cipher of clear')
    expect(saved).not.toHaveProperty('webhook_secret')
  })

  it('keeps fields of other versions', () => {
    expect(changed(readSetting('{"language":"en"}'), { quota_warning_threshold: 5 })).toMatchObject({ language: 'en' })
  })
})

describe('stored settings', () => {
  it.each(['', 'null', '5', '[1]', 'not json', '{"notify_type":7,"quota_warning_threshold":"x"}'])(
    'may be anything: %s',
    (stored) => expect(thresholdOf(readSetting(stored))).toBeUndefined(),
  )

  it('count a threshold of 0 as none, as older databases have it', () => {
    expect(thresholdOf({ quota_warning_threshold: 0 })).toBeUndefined()
    expect(thresholdOf({ quota_warning_threshold: 7.5 })).toBe(7.5)
  })
})
