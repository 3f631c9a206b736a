import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { moduleSections } from '../../../modules/lists/options.ts'
import { isOptionKey, type OptionValue, options, sections } from './index.ts'
import { idEntry, list, type Option, type Section } from './kinds.ts'

/** The keys that the console's requirements name. The list is fixed: a new option is not added here. */
const missionKeys = `QuotaForNewUser QuotaForInviter QuotaForInvitee QuotaRemindThreshold PreConsumedQuota
  StreamCacheQueueLength QuotaPerUnit ModelRatio CacheRatio CompletionRatio ModelPrice GroupRatio UserUsableGroups
  TopUpLink general_setting.docs_link AutomaticDisableChannelEnabled AutomaticEnableChannelEnabled
  ChannelDisableThreshold AutomaticDisableKeywords RetryTimes LogConsumeEnabled DisplayInCurrencyEnabled
  DisplayTokenStatEnabled DefaultCollapseSidebar Chats CheckSensitiveEnabled CheckSensitiveOnPromptEnabled
  CheckSensitiveOnCompletionEnabled StopOnSensitiveEnabled SensitiveWords MjNotifyEnabled MjAccountFilterEnabled
  MjModeClearEnabled MjForwardUrlEnabled MjActionCheckSuccessEnabled DataExportEnabled
  DataExportDefaultTime DataExportInterval DemoSiteEnabled SelfUseModeEnabled ModelRequestRateLimitEnabled
  ModelRequestRateLimitCount ModelRequestRateLimitSuccessCount ModelRequestRateLimitDurationMinutes
  gemini.safety_settings gemini.version_settings claude.model_headers_settings claude.default_max_tokens
  claude.thinking_adapter_enabled claude.thinking_adapter_budget_tokens_percentage
  global.pass_through_request_enabled Notice SystemName Logo Footer About HomePageContent ServerAddress WorkerUrl
  WorkerValidKey PayAddress EpayId EpayKey CustomCallbackAddress Price MinTopUp TopupGroupRatio`

/** Further keys of the same console. The list is fixed as well. */
const referenceKeys = `PasswordLoginEnabled PasswordRegisterEnabled RegisterEnabled EmailVerificationEnabled
  EmailDomainRestrictionEnabled EmailDomainWhitelist EmailAliasRestrictionEnabled GitHubOAuthEnabled GitHubClientId
  GitHubClientSecret LinuxDOOAuthEnabled LinuxDOClientId LinuxDOClientSecret WeChatAuthEnabled WeChatServerAddress
  WeChatServerToken WeChatAccountQRCodeImageURL TelegramOAuthEnabled TelegramBotToken TelegramBotName
  TurnstileCheckEnabled TurnstileSiteKey TurnstileSecretKey oidc.enabled oidc.client_id oidc.client_secret
  oidc.well_known oidc.authorization_endpoint oidc.token_endpoint oidc.user_info_endpoint SMTPServer SMTPPort
  SMTPAccount SMTPFrom SMTPToken SMTPSSLEnabled FileUploadPermission FileDownloadPermission
  ImageUploadPermission ImageDownloadPermission`

const words = (text: string): string[] => text.split(/\s+/)
const entries = Object.entries(options) as [string, Option<unknown>][]

describe('the option registry', () => {
  it('holds every key of the requirements and of the reference console', () => {
    const expected = [missionKeys, referenceKeys].flatMap(words)
    expect(expected.filter((key) => !isOptionKey(key))).toEqual([])
    expect(new Set(expected).size).toBe(expected.length)
  })

  it('names no key in two sections', () => {
    const keys = sections.flatMap((entry) => Object.keys(entry.options))
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('publishes no secret and no name twice in the status', () => {
    const published = entries.filter(([, option]) => option.status !== undefined)
    expect(published.filter(([, option]) => option.secret)).toEqual([])
    expect(new Set(published.map(([, option]) => option.status)).size).toBe(published.length)
  })

  it('keeps keys, tokens and client secrets as secrets', () => {
    const ofModules = new Set([...moduleSections].flatMap((section: Section) => Object.keys(section.options)))
    const secrets = entries.filter(([key, option]) => option.secret && !ofModules.has(key))
    expect(secrets.map(([key]) => key)).toEqual([
      'WorkerValidKey',
      'EpayKey',
      'SMTPToken',
      'oidc.client_secret',
      'GitHubClientSecret',
      'DiscordClientSecret',
      'LinuxDOClientSecret',
      'WeChatServerToken',
      'TelegramBotToken',
      'TurnstileSecretKey',
    ])
  })

  it.each(entries)('describes %s in both languages', (_, option) => {
    const texts = [option.label, option.help, option.allowed, option.risk, option.requires?.text]
    for (const text of texts) {
      if (text === undefined) continue
      expect(text.zh.trim()).not.toBe('')
      expect(text.en.trim()).not.toBe('')
      expect(text.en).not.toMatch(/\p{Script=Han}/u)
    }
  })

  it.each(entries)('reads the printed default of %s back', (_, option) => {
    expect(option.schema.safeParse(option.fallback)).toMatchObject({ success: true, data: option.fallback })
    expect(option.read(option.print(option.fallback))).toEqual({ ok: true, value: option.fallback })
  })

  it('requires only options that exist', () => {
    const requiredKeys = entries.flatMap(([, option]) => option.requires?.keys ?? [])
    expect(requiredKeys.filter((key) => !isOptionKey(key))).toEqual([])
  })

  it('knows the type of every value', () => {
    expectTypeOf<OptionValue<'QuotaPerUnit'>>().toEqualTypeOf<number>()
    expectTypeOf<OptionValue<'LogConsumeEnabled'>>().toEqualTypeOf<boolean>()
    expectTypeOf<OptionValue<'StreamOnClientGone'>>().toEqualTypeOf<'cancel' | 'finish'>()
    expectTypeOf<OptionValue<'SensitiveWords'>>().toEqualTypeOf<readonly string[]>()
    expectTypeOf<OptionValue<'GroupRatio'>>().toEqualTypeOf<Readonly<Record<string, number>>>()
  })

  it('takes no inherited member of an object for an option', () => {
    expect(['constructor', 'toString', '__proto__'].filter(isOptionKey)).toEqual([])
  })
})

describe('reading option text', () => {
  const reason = (option: Option<unknown>, text: string) => {
    const reading = option.read(text)
    return reading.ok ? undefined : reading.reason
  }

  it.each(entries.filter(([, option]) => option.control === 'json'))('says that %s is not JSON', (_, option) => {
    for (const text of ['', '{', 'nonsense', '{"a":1,}'])
      expect(reason(option, text)?.zh).toBe('不是合法的 JSON 字符串')
  })

  it.each(entries.filter(([, option]) => option.control === 'integer' || option.control === 'decimal'))(
    'refuses what is no number for %s',
    (_, option) => {
      for (const text of ['', ' ', 'ten', 'NaN', 'Infinity', '0x10', '1 2', 'true']) {
        expect(reason(option, text)).toBeDefined()
      }
    },
  )

  it.each([
    ['QuotaPerUnit', '0'],
    ['DataExportInterval', '0'],
    ['ModelRequestRateLimitSuccessCount', '0'],
    ['ModelRequestRateLimitCount', '-1'],
    ['claude.thinking_adapter_budget_tokens_percentage', '1.01'],
    ['claude.thinking_adapter_budget_tokens_percentage', '0.05'],
    ['RetryTimes', '1.5'],
    ['SMTPPort', '70000'],
    ['DataExportDefaultTime', 'month'],
    ['DisplayInCurrencyEnabled', 'yes'],
    ['ServerAddress', 'example.com'],
    ['TopUpLink', 'javascript:alert(1)'],
    ['Logo', 'javascript:alert(1)'],
    ['Logo', 'logo.png'],
    ['general_setting.docs_link', '//elsewhere.example'],
    ['GroupRatio', '{"vip":-1}'],
    ['GroupRatio', '[1]'],
    ['GroupRatio', '{}'],
    ['GroupRatio', '{"default":1e10}'],
    ['ModelRatio', '{"gpt-4o":1e308}'],
    ['ModelPrice', '{"gpt-4o":1000000001}'],
    ['ModelRatio', '{"gpt-4o":"2"}'],
    ['UserUsableGroups', '{"vip":1}'],
    ['Chats', '{"a":"b"}'],
    ['Chats', '[{"a":"https://a.example","b":"https://b.example"}]'],
    ['Chats', '[{"a":"javascript:alert(1)"}]'],
    ['claude.default_max_tokens', '{"default":0}'],
    ['claude.model_headers_settings', '{"m":{"bad header":["x"]}}'],
  ] as const)('refuses %s = %s', (key, text) => {
    expect(options[key].read(text).ok).toBe(false)
  })

  it('understands domains however they are written', () => {
    const reading = options.EmailDomainWhitelist.read(' Gmail.com, @qq.com,, @')
    expect(reading).toMatchObject({ ok: true, value: ['gmail.com', 'qq.com'] })
  })

  it('says where in a map the mistake is', () => {
    expect(reason(options.GroupRatio, '{"default":1,"vip":-1}')?.en).toBe(
      'vip: { group: ratio of at least 0 }, each at most 1000000000, with at least 1 entry',
    )
    expect(reason(options.GroupRatio, '{}')?.zh).toBe('{ 分组: 不小于 0 的倍率 }，数字不大于 1000000000，至少 1 项')
  })

  it('drops the trailing slash of an address', () => {
    expect(options.ServerAddress.read('https://gate.example/')).toEqual({ ok: true, value: 'https://gate.example' })
  })

  it('drops blank lines and lowers the case of disable keywords', () => {
    expect(options.AutomaticDisableKeywords.read('Permission Denied\r\n\n  Gone ')).toEqual({
      ok: true,
      value: ['permission denied', 'gone'],
    })
  })

  it('keeps the default entry of model maps whatever is saved', () => {
    expect(options['claude.default_max_tokens'].read('{"m":4096}')).toEqual({
      ok: true,
      value: { default: 8192, m: 4096 },
    })
  })

  it('takes no other text for the id of a row', () => {
    const ids = list({ fallback: [], separator: ',', each: idEntry, label: { zh: '', en: '' } })
    expect(ids.read('5, 17')).toEqual({ ok: true, value: ['5', '17'] })
    for (const text of ['["5"]', '5 17', '0', '-1', 'all', '5,x']) expect(ids.read(text).ok).toBe(false)
  })

  it('reads every ratio map it prints', () => {
    const ratios = fc.dictionary(
      fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
      fc.double({ min: 0, max: 1e9, noNaN: true }).map((n) => n + 0),
    )
    fc.assert(
      fc.property(ratios, (value) => {
        expect(options.ModelRatio.read(options.ModelRatio.print(value))).toEqual({ ok: true, value })
      }),
    )
  })

  it('reads every number it prints', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (value) => {
        expect(options.Price.read(options.Price.print(value))).toEqual({ ok: true, value })
      }),
    )
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(options.QuotaForNewUser.read(options.QuotaForNewUser.print(value))).toEqual({ ok: true, value })
      }),
    )
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...entries), (text, [, option]) => {
        const reading = option.read(text)
        if (reading.ok) expect(option.read(option.print(reading.value))).toEqual(reading)
      }),
    )
  })
})
