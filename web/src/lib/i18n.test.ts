import { describe, expect, it } from 'vitest'
import { defineMessages, errorIn, languageOf, loadLanguage, registeredMessages, setLanguage, textIn } from './i18n.ts'

const bare = (key: string): string => key.replace(/_(one|other)$/, '')
const placesOf = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((found) => found[1] ?? '').toSorted()

// Every file that declares words, whichever feature it belongs to.
const modules = import.meta.glob(['../**/*.ts', '../**/*.tsx', '!../**/*.test.*', '!../main.tsx', '!../test/**'])

it('says everything in both languages, with the same places to fill', async () => {
  for (const load of Object.values(modules)) await load()
  expect(registeredMessages().size).toBeGreaterThan(5)
  for (const [namespace, { zh, en }] of registeredMessages()) {
    const english = new Set(Object.keys(en).map(bare))
    const chinese = new Set(Object.keys(zh).map(bare))
    expect(
      [...chinese].filter((key) => !english.has(key)),
      `${namespace}: missing in English`,
    ).toEqual([])
    expect(
      [...english].filter((key) => !chinese.has(key)),
      `${namespace}: missing in Chinese`,
    ).toEqual([])
    for (const [key, text] of Object.entries(zh)) {
      const other = en[key] ?? en[`${key}_other`] ?? ''
      expect(placesOf(other), `${namespace}.${key}`).toEqual(placesOf(text))
    }
  }
})

it('changes the language at once, counts in English, and marks the page', () => {
  const { say } = defineMessages('test-i18n', {
    zh: { made: '已创建 {{count}} 个', only: '只有中文' },
    en: { made_one: 'One made', made_other: '{{count}} made', only: 'Filter' },
  })
  expect(say('made', { count: 3 })).toBe('已创建 3 个')
  setLanguage('en')
  expect([say('made', { count: 1 }), say('made', { count: 3 })]).toEqual(['One made', '3 made'])
  expect(document.documentElement.lang).toBe('en')
  expect(localStorage.getItem('i18nextLng')).toBe('en')
  setLanguage('zh')
})

it('fills places with values as they are, and says what it cannot find by its key', () => {
  const { say } = defineMessages('test-i18n-places', {
    zh: { two: '{{b}}，{{a}}，{{a}}', units_other: '{{count}} 个单位' },
    en: { two: '{{a}} and {{b}}', units_other: '{{count}} quota' },
  })
  expect(say('two', { a: '$& {{b}}', b: 0 })).toBe('0，$& {{b}}，$& {{b}}')
  expect(say('two')).toBe('，，')
  // A count that is text already has no form of its own.
  expect(say('units_other', { count: '1,234' })).toBe('1,234 个单位')
  expect(say('units' as never)).toBe('units')
})

it.each([
  ['zh-CN', 'zh'],
  ['zh-Hans-HK', 'zh'],
  ['zh_TW', 'zh-TW'],
  ['zh-Hant', 'zh-TW'],
  ['zh-HK', 'zh-TW'],
  ['en-GB', 'en'],
  ['fr-CA', 'fr'],
  ['ja', 'ja'],
  ['vi-VN', 'vi'],
  ['ru', 'ru'],
  ['de', 'zh'],
  [undefined, 'zh'],
] as const)('a browser in %s reads %s', (tag, language) => expect(languageOf(tag)).toBe(language))

it('reads a further language from its file, counts in it, and falls back to its source', async () => {
  const { say } = defineMessages('columns', {
    zh: { widthPixels: '{{count}} 像素', only: '只有' },
    en: { widthPixels_one: '{{count}} pixel', widthPixels_other: '{{count}} pixels', only: 'Filter' },
  })
  await loadLanguage('ru')
  setLanguage('ru')
  expect(document.documentElement.lang).toBe('ru')
  expect([1, 3, 5].map((count) => say('widthPixels', { count }))).toEqual(['1 пиксель', '3 пикселя', '5 пикселей'])
  expect(say('only')).toBe('Filter')
  expect(textIn({ zh: '页面不存在', en: 'Page not found' }, 'ru')).toBe('Страница не найдена')
  expect(textIn({ zh: '无', en: 'None of it' }, 'zh-TW')).toBe('无')
  setLanguage('zh')
})

it('shows a further language as soon as its file is here, unless another was chosen meanwhile', async () => {
  setLanguage('vi')
  setLanguage('en')
  await loadLanguage('vi')
  await Promise.resolve()
  expect(document.documentElement.lang).toBe('en')
  setLanguage('vi')
  expect(document.documentElement.lang).toBe('vi')
  setLanguage('zh')
})

describe('an error of the server', () => {
  it('is written in the reader’s language with its parameters', async () => {
    await loadLanguage('ja')
    setLanguage('ja')
    expect(errorIn('too_many_tokens', 'You have reached the limit of 5 tokens', { max: 5 })).toBe(
      'API キーの上限（5 個）に達しています',
    )
    setLanguage('en')
    expect(errorIn('too_many_tokens', 'You have reached the limit of 5 tokens', { max: 5 })).toBe(
      'You have reached the limit of 5 tokens',
    )
  })

  it('stays as the server wrote it where a parameter is missing or has no translation', async () => {
    await loadLanguage('ja')
    setLanguage('ja')
    expect(errorIn('too_many_tokens', 'You have reached the limit')).toBe('You have reached the limit')
    const wording = 'Fill in the thing'
    expect(errorIn('channel_field_required', wording, { field: '东西', field_en: 'the thing' })).toBe(wording)
  })

  it('translates reasons that are the server’s, and quotes those that are not', async () => {
    await loadLanguage('ja')
    setLanguage('ja')
    const unreadable = { reason: '渠道无法转发', reason_en: 'the channel cannot relay' }
    expect(errorIn('balance_failed', 'failed', unreadable)).toBe(
      '残高を照会できませんでした：このチャネルは中継できません',
    )
    const quoted = { reason: 'status code: 401', reason_en: 'status code: 401' }
    expect(errorIn('balance_failed', 'failed', quoted)).toBe('残高を照会できませんでした：status code: 401')
    const named = { name: ' GitHub ', name_en: 'GitHub', account: ' GitHub 账户' }
    expect(errorIn('third_party_taken', 'taken', named)).toBe('この GitHub アカウントは別のユーザーに連携されています')
    setLanguage('zh')
  })
})
