import { describe, expect, it } from 'vitest'
import { readSources } from './sources.ts'

const sources = readSources()

/** Old words of each language, with what to write instead: see docs/words.md. */
const english: readonly (readonly [RegExp, string])[] = [
  [/\bplease\b/i, 'nothing'],
  [/!$/, 'no exclamation mark'],
  [/\bsuccessfully\b/i, 'nothing'],
  [/\blog(ged|ging)? (in|out)\b(?! the )|\blog(in|out)\b/i, 'sign in, sign out'],
  [/\be-mail/i, 'email'],
  [/\borganiz|\bcolor\b|\blicense\b/i, 'British spelling'],
  [/\bconsum(e|ed|ption)\b/i, 'spend'],
  [/\brecharge\b/i, 'top-up'],
  [/\bavoided\b/i, 'cooling down'],
  [/\bvendors?\b/i, 'provider'],
  [/\bfirst word\b/i, 'first token'],
  [/\bwhite-?list|\bblack-?list/i, 'allowed, blocked'],
  [/[\u4e00-\u9fff]/, 'no Chinese in English'],
  // Balances, budgets and charges are money; a site without a currency says quota.
  [/\{\{\w+\}\} units\b|\bquota units\b/i, 'money, or quota'],
]
const chinese: readonly (readonly [RegExp, string])[] = [
  [/通道/, '渠道'],
  [/游乐场/, '操练场'],
  [/供应商|服务商/, '提供商'],
  [/API 密钥/, 'API 令牌'],
  [/消耗(?!完|多少美元)|消费(?!日志)|已用额度/, '花费'],
  [/[\u4e00-\u9fff][A-Za-z]|[A-Za-z][\u4e00-\u9fff]/, 'a space between Chinese and Latin letters'],
]

/** Texts that existing consoles show and people look for, and texts where the word means something else. */
const exceptions: ReadonlySet<string> = new Set([
  // The text of an expired session, which scripts and people search for.
  'login.expired',
  'api.expired',
  'shell.newYear',
  // The type of log entries as other consoles name it.
  'logs.type2',
  'logs.keptCharged',
  // The name of the menu entry that the code is sent to.
  'wechat.text',
  // Single logout, post-logout redirect and back-channel logout are terms of the standards.
  'identity-providers.signsOutHint',
  'identity-providers.logoutUrl',
  'identity-providers.ownLogout',
  'identity-providers.afterLogout',
  'identity-providers.backchannel',
  // The provider's own key.
  'phrases.Google service-account JSON document, or an API key',
  // Providers and fields of channels as other consoles name them.
  'phrases.Baidu Qianfan V2',
  'phrases.Volcengine Ark, Doubao, DeepSeek',
  'channel-form.baseUrl',
  'channel-form.baseUrlInvalid',
  'channel-form.regionDefault',
  // The option that says how many units of account make one of currency.
  'phrases.Quota units that make one unit of currency',
  // Greetings that are sent to a model.
  'first-calls.ask',
  'guide.ask',
])

const faults = (language: 'zh' | 'en', rules: readonly (readonly [RegExp, string])[]): string[] =>
  sources.flatMap((source) =>
    source.namespace === 'errors' || exceptions.has(`${source.namespace}.${source.key}`)
      ? []
      : rules.flatMap(([pattern, instead]) =>
          pattern.test(source[language])
            ? [`${source.namespace}.${source.key}: “${source[language]}”, write ${instead}`]
            : [],
        ),
  )

describe('texts of the console', () => {
  it('have no old words in English', () => expect(faults('en', english)).toEqual([]))
  it('have no old words in Chinese', () => expect(faults('zh', chinese)).toEqual([]))
})
