import { expect, it } from 'vitest'
import { registeredMessages, setLanguage, words } from './i18n.ts'

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
}, 60_000)

it('changes the language at once, counts in English, and marks the page', async () => {
  const { say } = words('test-i18n', {
    zh: { made: '已创建 {{count}} 个', only: '只有中文' },
    en: { made_one: 'One made', made_other: '{{count}} made', only: 'Only' },
  })
  expect(say('made', { count: 3 })).toBe('已创建 3 个')
  await setLanguage('en')
  expect([say('made', { count: 1 }), say('made', { count: 3 })]).toEqual(['One made', '3 made'])
  expect(document.documentElement.lang).toBe('en')
  expect(localStorage.getItem('i18nextLng')).toBe('en')
  await setLanguage('zh')
})
