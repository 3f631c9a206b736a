import { importNotes } from '@tollgate/contract/site-imports/import-notes'
import { describe, expect, it } from 'vitest'
import { readTranslations } from './files.ts'
import { readLiterals } from './literals.ts'
import { furtherLanguages, keysOf, problemOf, translationsAreComplete } from './rules.ts'
import { readSources, type SourceText } from './sources.ts'

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

it('finds the texts of features, options, providers, notes of imports and errors', () => {
  const has = (facts: Partial<SourceText>): boolean =>
    sources.some((source) => Object.entries(facts).every(([name, value]) => source[name as keyof SourceText] === value))
  expect(has({ group: 'shell', namespace: 'shell', key: 'language' })).toBe(true)
  expect(has({ namespace: 'phrases', en: 'Page not found' })).toBe(true)
  expect(has({ namespace: 'phrases', en: 'Server address' })).toBe(true)
  expect(has({ namespace: 'phrases', en: importNotes.channel_fields.en })).toBe(true)
  expect(has({ namespace: 'errors', key: 'shutting_down' })).toBe(true)
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
