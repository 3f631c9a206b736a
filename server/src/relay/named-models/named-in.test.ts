import { describe, expect, it } from 'vitest'
import { declaredRequestMembers, plainMembers, settingMembers } from '../../billing/declared/request-members.ts'
import { namedIn } from './named-in.ts'

const declared = declaredRequestMembers.flatMap(({ members }) => Object.entries(members))

/** A body with a value at a path; `*` is any name. Lists stand where the providers have them. */
const bodyWith = (path: string, value: unknown): Record<string, unknown> => {
  const [name = '', ...rest] = path.split('.')
  const inner = rest.length === 0 ? value : bodyWith(rest.join('.'), value)
  const isList = ['tools', 'plugins', 'data_sources'].includes(name)
  const typed = name === 'tools' && rest.length > 0 ? { type: 'openrouter:advisor', ...(inner as object) } : inner
  return { [name === '*' ? 'anything' : name]: isList ? [typed] : typed }
}

const spellings: readonly (readonly [string, (path: string) => string])[] = [
  ['as it is declared', (path) => path],
  ['in capitals', (path) => path.toUpperCase()],
  ['with underscores', (path) => path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)],
]

describe.each(spellings)('a member %s', (_, spell) => {
  const spelt = (path: string): string =>
    path
      .split('.')
      .map((name) => (/^(tools|plugins|data_sources)$/.test(name) ? name : spell(name)))
      .join('.')

  it.each(declared.filter(([, meaning]) => meaning === 'names models'))('names a model: %s', (path) => {
    const found = namedIn(bodyWith(spelt(path), 'dear'))
    expect(found?.members.flatMap(({ models }) => models)).toContain('dear')
  })

  it.each(declared.filter(([, meaning]) => /route|host/.test(meaning)))('chooses: %s', (path) => {
    const found = namedIn(bodyWith(spelt(path), 'x'))
    expect(found?.members.some(({ chooses }) => chooses !== undefined)).toBe(true)
  })

  it.each(declared.filter(([, meaning]) => meaning === 'chooses nothing'))('chooses nothing: %s', (path) => {
    expect(namedIn(bodyWith(spelt(path), 'x'))?.members).toEqual([])
  })
})

it('is no plain one', () => {
  const tops = new Set(declared.map(([path]) => path.split('.')[0] ?? ''))
  expect([...plainMembers].filter((name) => tops.has(name))).toEqual([])
})

it('is looked for in bodies of other names alone', () => {
  const texts = [...plainMembers].filter((name) => !settingMembers.has(name))
  expect(namedIn(Object.fromEntries(texts.map((name) => [name, { model: 'dear' }])))).toBeUndefined()
  expect(namedIn({ model: 'a', prior_output: 'x', 'image[]': 'y', own: { models: ['dear'] } })).toBeUndefined()
})

describe.each([...settingMembers])('the settings %s', (top) => {
  it('are plain members', () => expect(plainMembers).toContain(top))

  it.each<[string, unknown]>([
    ['below them', { model: 'dear' }],
    ['in an entry of theirs', [{ type: 'x', fallback_model: 'dear' }]],
    ['deeper in them', { a: { b: [{ MODELS: ['dear'] }] } }],
  ])('name a model %s', (_, value) => {
    expect(namedIn({ model: 'cheap', [top]: value })?.members).toMatchObject([{ top, models: ['dear'] }])
  })

  it('name none in other members and in schemas', () => {
    const value = { effort: 'high', list: [{ type: 'x' }], format: { schema: { properties: { model: {} } } } }
    expect(namedIn({ model: 'cheap', [top]: value })).toBeUndefined()
  })
})

it('is found in a body that is written as a text', () => {
  const body = { model: 'cheap', extra_body: JSON.stringify({ models: ['dear'] }) }
  expect(namedIn(body)?.members).toMatchObject([{ path: 'extra_body.models', models: ['dear'] }])
  expect(namedIn({ model: 'cheap', extra_body: 'no JSON' })?.members).toEqual([])
  const deep = `{"models":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect(namedIn({ model: 'cheap', extra_body: deep })?.members).toMatchObject([{ chooses: 'route' }])
})
