import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { errors } from '@tollgate/contract/errors'
import { placesOf } from '@tollgate/contract/errors/error-text'
import { describe, expect, it } from 'vitest'
import { readTranslations } from './files.ts'
import { readLiterals } from './literals.ts'
import { furtherLanguages, keysOf, problemOf, translationsAreComplete } from './rules.ts'
import { readSources, root, type SourceText } from './sources.ts'

const sources = readSources()

const text = (facts: Partial<SourceText>): SourceText => ({
  group: 'tokens',
  namespace: 'tokens',
  key: 'made',
  counts: true,
  zh: '已创建 {{count}} 个',
  en: '{{count}} made',
  ...facts,
})

describe.each(furtherLanguages)('%s', (language) => {
  const translations = readTranslations(language)
  const fit = new Map(
    sources.flatMap((source) =>
      keysOf(language, source).map((key) => [`${source.namespace}\n${key}`, source] as const),
    ),
  )

  it('has a file for each part of the console, and none that is left of a part that moved', () => {
    const groups = new Set(sources.map(({ group }) => group))
    const files = readdirSync(join(root, 'web/src/languages', language)).map((name) => name.replace(/\.json$/, ''))
    expect(files.filter((name) => !groups.has(name))).toEqual([])
  })

  it('has only texts of the console, with the same places to fill', () => {
    const wrong = Object.entries(translations).flatMap(([namespace, texts]) =>
      Object.entries(texts).flatMap(([key, translation]) => {
        const source = fit.get(`${namespace}\n${key}`)
        // Until the translations are complete, texts may go while they are translated; the next merge leaves theirs out.
        const unknown = translationsAreComplete ? 'is no text of the console' : undefined
        const problem = source ? problemOf(source, translation) : unknown
        return problem ? [`${namespace}.${key} ${problem}`] : []
      }),
    )
    expect(wrong).toEqual([])
  })

  it('has every text, once the translations are complete', () => {
    const missing = [...fit.keys()].flatMap((id) => {
      const [namespace = '', key = ''] = id.split('\n')
      return translations[namespace]?.[key] === undefined ? [`${namespace}.${key}`] : []
    })
    if (translationsAreComplete) expect(missing).toEqual([])
    else console.info(`${language}: ${missing.length} of ${fit.size} texts are not translated`)
  })
})

it('reads messages and pairs of a source file without running it', () => {
  const found = readLiterals(
    'screen.tsx',
    `const say = defineMessages('a', { zh: { one: '一' }, en: { one: 'One' } } as const)
     export const page = { title: { zh: '页' + '面', en: \`Page\` }, draw: () => <b /> }`,
  )
  expect(found).toEqual({
    messages: [{ namespace: 'a', messages: { zh: { one: '一' }, en: { one: 'One' } } }],
    pairs: [{ zh: '页面', en: 'Page' }],
  })
  expect(() => readLiterals('a.ts', "defineMessages('a', { zh: { one: text }, en: {} })")).toThrow('constants')
})

it('finds the texts of features, options, providers and errors', () => {
  const has = (facts: Partial<SourceText>): boolean =>
    sources.some((source) => Object.entries(facts).every(([name, value]) => source[name as keyof SourceText] === value))
  expect(has({ group: 'shell', namespace: 'shell', key: 'language' })).toBe(true)
  expect(has({ namespace: 'phrases', en: 'Page not found' })).toBe(true)
  expect(has({ namespace: 'phrases', en: 'Server address' })).toBe(true)
  expect(has({ namespace: 'phrases', en: 'Models available to the key' })).toBe(true)
  expect(has({ namespace: 'errors', key: 'shutting_down' })).toBe(true)
  expect(has({ namespace: 'errors', key: 'topped_up' })).toBe(true)
})

describe('errors with places', () => {
  const withPlaces = Object.entries(errors).filter(([, { en }]) => en.includes('{'))
  const translated = new Set(sources.filter(({ namespace }) => namespace === 'errors').map(({ key }) => key))

  it('are translated, with the places of their English text', () => {
    expect(withPlaces.length).toBeGreaterThan(90)
    const places = (text: string): string[] => [...new Set(placesOf(text))].toSorted()
    for (const language of furtherLanguages) {
      const texts = readTranslations(language).errors ?? {}
      for (const [code, { en }] of withPlaces.filter(([code]) => translated.has(code)))
        expect(places(texts[code] ?? ''), `${language} ${code}`).toEqual(places(en))
    }
  })

  it('are left to the server where they quote somebody else, or are made of several words of its own', () => {
    expect(
      withPlaces
        .map(([code]) => code)
        .filter((code) => !translated.has(code))
        .toSorted(),
    ).toEqual([
      'channel_invalid',
      'insufficient_user_quota',
      'invalid_audio_request',
      'invalid_embedding_request',
      'invalid_image_request',
      'invalid_text_request',
      'limit_used_up',
      'rate_limit_exceeded',
      'session_limit_reached',
      'spend_cap_reached',
      'third_party_refused',
    ])
  })

  it('are refused with another place, or with one that only the Chinese text has', () => {
    const disabled = sources.find(({ key }) => key === 'third_party_disabled') ?? text({})
    expect(problemOf(disabled, '{name_en} でのログイン')).toBeUndefined()
    expect(problemOf(disabled, '{name} でのログイン')).toBe('has {name}, not {name_en}')
  })
})

it('asks for the plural forms of a language', () => {
  expect(keysOf('ru', text({}))).toEqual(['made_few', 'made_many', 'made_one', 'made_other'])
  expect(keysOf('fr', text({}))).toEqual(['made_many', 'made_one', 'made_other'])
  expect(keysOf('ja', text({}))).toEqual(['made'])
  expect(keysOf('ru', text({ counts: false }))).toEqual(['made'])
})

it('refuses translations that are empty or fill other places', () => {
  expect(problemOf(text({}), '{{count}} créés')).toBeUndefined()
  expect(problemOf(text({}), 'Un créé')).toMatch('no places')
  expect(problemOf(text({}), ' ')).toBe('is empty')
})
