import { isOptionKey, type Option, type OptionEntry, optionKeys, options as registry } from '@tollgate/contract'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openTestOptions, root } from '../../../test/support/features/options.ts'
import { signedIn } from '../../../test/support/features/signed-in.ts'
import type { Options } from './options.ts'
import { optionRoutes } from './routes.ts'

/** Options that reveal or decide access to other systems; admins do not see them, but may read all others. */
const rootOnly =
  `WorkerUrl PayAddress EpayId CustomCallbackAddress SMTPServer SMTPPort SMTPAccount SMTPFrom SMTPSSLEnabled
  oidc.well_known oidc.token_endpoint oidc.user_info_endpoint WeChatServerAddress claude.model_headers_settings`.split(
    /\s+/,
  )

const secretKeys = optionKeys.filter((key) => registry[key].secret)

const as = (options: Options, role: number) => signedIn((on) => optionRoutes(on, options, () => ({})), { role })

const listOf = async (options: Options, role: number) => {
  const { json } = await as(options, role)('GET', '/api/option/')
  return { keys: (json.data as OptionEntry[]).map(({ key }) => key), stored: json.stored_secrets, text: json }
}

/** Text that the option would take, had its writer the right. */
const acceptable = (key: string): string => {
  if (!isOptionKey(key)) throw new Error(key)
  const option: Option<unknown> = registry[key]
  return option.secret ? 'a secret' : option.print(option.fallback)
}

describeEachEngine('rights of roles to options', (open) => {
  it('shows admins everything but what concerns access to other systems, root everything but secrets', async () => {
    const options = await openTestOptions(await open())
    for (const key of secretKeys) await options.set(key, 'top-secret-value', root)
    const forAdmin = await listOf(options, 10)
    const forRoot = await listOf(options, 100)
    const plain = optionKeys.filter((key) => !secretKeys.includes(key))
    expect(forRoot.keys.toSorted()).toEqual(plain.toSorted())
    expect(forAdmin.keys.toSorted()).toEqual(plain.filter((key) => !rootOnly.includes(key)).toSorted())
    expect([forRoot.stored, forAdmin.stored]).toEqual([secretKeys, []])
    expect(JSON.stringify([forRoot.text, forAdmin.text])).not.toContain('top-secret-value')
  })

  it('refuses every option from roles below root, alone and in a batch', async () => {
    const options = await openTestOptions(await open())
    const admin = as(options, 10)
    for (const key of optionKeys) {
      const { json } = await admin('PUT', '/api/option/', { key, value: acceptable(key) })
      expect([key, json.success, json.code]).toEqual([key, false, 'permission_denied'])
    }
    const changes = optionKeys.map((key) => ({ key, value: acceptable(key) }))
    const { json } = await admin('PUT', '/api/option/batch', { changes })
    expect(json).toMatchObject({ success: false, code: 'options_refused' })
    expect((json.data as { refused: unknown[] }).refused).toHaveLength(optionKeys.length)
    expect((await admin('POST', '/api/option/rest_model_ratio')).json.success).toBe(false)
  })

  it('turns ordinary users away altogether', async () => {
    const options = await openTestOptions(await open())
    const user = as(options, 1)
    const calls = [
      user('GET', '/api/option/'),
      user('PUT', '/api/option/', { key: 'Notice', value: '' }),
      user('PUT', '/api/option/batch', { changes: [{ key: 'Notice', value: '' }] }),
    ]
    for (const { json } of await Promise.all(calls)) expect(json.code).toBe('permission_denied')
  })

  it('lets root write every option', async () => {
    const options = await openTestOptions(await open())
    const changes = optionKeys.map((key) => ({ key, value: acceptable(key) }))
    const { json } = await as(options, 100)('PUT', '/api/option/batch', { changes })
    expect(json).toMatchObject({ success: true, data: { refused: [] } })
    expect((await listOf(options, 100)).stored).toEqual(secretKeys)
  })

  it('explain key by key, in the caller’s language, why a batch was refused', async () => {
    const options = await openTestOptions(await open())
    const { json } = await as(options, 100)('PUT', '/api/option/batch', {
      changes: [
        { key: 'Notice', value: 'hello' },
        { key: 'Chats', value: '{' },
        { key: 'NoSuchOption', value: true },
      ],
    })
    expect(json).toMatchObject({ success: false, message: '保存失败，请重试' })
    expect((json.data as { refused: unknown }).refused).toEqual([
      {
        key: 'Chats',
        code: 'option_invalid',
        message: expect.stringContaining('不是合法的 JSON 字符串'),
        params: { key: 'Chats', reason: '不是合法的 JSON 字符串', reason_en: 'Not valid JSON' },
      },
      {
        key: 'NoSuchOption',
        code: 'option_unknown',
        message: '未知的配置项 NoSuchOption',
        params: { key: 'NoSuchOption' },
      },
    ])
    expect(options.get('Notice')).toBe('')
  })

  it.each([
    [{ changes: [] }],
    [{ changes: [{ key: 'Notice', value: null }] }],
    [
      {
        changes: [
          { key: 'Notice', value: 'a' },
          { key: 'Notice', value: 'b' },
        ],
      },
    ],
    [{}],
  ])('answers 400 to a batch that is none: %j', async (body) => {
    const options = await openTestOptions(await open())
    expect((await as(options, 100)('PUT', '/api/option/batch', body)).status).toBe(400)
  })
})
