import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ModelCard, ModelMeasures } from '../../lib/api/contract.ts'
import { storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { shortTokens } from './catalogue/words.ts'
import { PricingScreen } from './screen.tsx'
import { answerWith, byCall, item, startAfresh } from './testing-pricing.tsx'

const card = (model: string, more: Partial<ModelCard> = {}): ModelCard => ({
  model,
  maker: 'OpenAI',
  description: '',
  kind: 'chat',
  context: 0,
  max_output: 0,
  takes: ['text'],
  can: [],
  knowledge: '',
  retires: '',
  replaced_by: '',
  tags: [],
  endpoints: ['/v1/chat/completions'],
  hidden: false,
  edited: false,
  ...more,
})
const measures = (model: string, more: Partial<ModelMeasures> = {}): ModelMeasures => ({
  model,
  first_p50: 920,
  first_p95: 2000,
  speed: 84.2,
  uptime: 0.99946,
  days: [null, 1, 0.995],
  ...more,
})

const prices = [
  item('gpt-4o'),
  item('opus', { model_ratio: 2.5 }),
  item('embed', { model_ratio: 0.05 }),
  item('secret'),
]
const cards = [
  card('gpt-4o', { context: 128_000, takes: ['text', 'image'], can: ['tools'], description: 'All-round.' }),
  card('opus', { maker: 'Anthropic', context: 1_000_000, takes: ['text', 'pdf'], can: ['tools', 'thinking'] }),
  card('embed', { kind: 'embedding', endpoints: ['/v1/embeddings'] }),
]

const open = async (
  path = '/pricing',
  measured = [measures('opus'), measures('gpt-4o', { first_p50: null, speed: null })],
) => {
  fakeFetch({
    'GET /api/pricing': answerWith(prices),
    'GET /api/models/cards': () => cards,
    'GET /api/models/measures': () => measured,
    'GET /api/pricing/history': () => [],
  })
  const view = await renderConsole(<PricingScreen />, path)
  await screen.findAllByRole('listitem')
  return view
}
const shown = (): string[] =>
  screen.getAllByRole('link').flatMap((link) => {
    const address = link.getAttribute('href') ?? ''
    return address.startsWith('/pricing/model/') ? [address.slice('/pricing/model/'.length)] : []
  })

beforeEach(() => {
  startAfresh()
  setLanguage('en')
})

it('shows models as cards, the most called first, and leaves hidden ones out', async () => {
  await open()
  expect(shown()).toEqual(['opus', 'gpt-4o', 'embed'])
  const [opus, gpt, embed] = screen.getAllByRole('listitem')
  expect(opus?.textContent).toContain('AnthropicInput$5.00Output$20.00Cached input$2.50')
  expect(opus?.textContent).toContain('1M context · Text, PDF')
  expect(opus?.textContent).toContain('0.92 s84 tok/s99.94%')
  expect(gpt?.textContent).toContain('All-round.128k context · Text, Images')
  expect(gpt?.textContent).toMatch(/Images99\.94%$/)
  expect(embed?.textContent).toMatch(/EmbeddingsNo calls in the last 30 days$/)
})

it('says nothing about calls to visitors where their speed is not public', async () => {
  await open('/pricing', [])
  expect(shown()).toHaveLength(3)
  expect(screen.queryByText('No calls in the last 30 days')).toBeNull()
})

it('narrows by maker, ability, kind, endpoint, price and context, and by what is typed', async () => {
  const { unmount } = await open('/pricing?vendor=Anthropic')
  expect(shown()).toEqual(['opus'])
  unmount()
  for (const [filter, names] of [
    ['can=tools', ['opus', 'gpt-4o']],
    ['can=tools,thinking', ['opus']],
    ['kind=embedding', ['embed']],
    ['endpoint=%2Fv1%2Fembeddings', ['embed']],
    ['from=1&to=2.5', ['gpt-4o']],
    ['context=200000', ['opus']],
    ['keyword=round', ['gpt-4o']],
    ['sort=input', ['embed', 'gpt-4o', 'opus']],
    ['sort=-context', ['opus', 'gpt-4o', 'embed']],
  ] as const) {
    const view = await open(`/pricing?${filter}`)
    expect(shown(), filter).toEqual(names)
    view.unmount()
  }
})

it('puts a chosen filter into the address, and says when nothing is left', async () => {
  const { router } = await open()
  await userEvent.click(screen.getByRole('button', { name: 'Filters' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Thinking/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'Show 1 models' }))
  await waitFor(() => expect(shown()).toEqual(['opus']))
  expect(router.state.location.search).toMatchObject({ can: 'thinking' })
  await router.navigate({ to: '/pricing?can=thinking&kind=embedding' as '/' })
  expect(await screen.findByText('No matching models')).toBeTruthy()
})

it('opens the sheet at a click and the page with Enter', async () => {
  const { router } = await open()
  await userEvent.click(screen.getByRole('link', { name: 'gpt-4o' }))
  expect(router.state.location.search).toMatchObject({ model: 'gpt-4o' })
  expect(await screen.findByRole('dialog', { name: 'gpt-4o' })).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  screen.getByRole('link', { name: 'opus' }).focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/pricing/model/opus'))
})

it('compares the models that are picked', async () => {
  const { router } = await open()
  const pick = (name: string): Promise<void> =>
    userEvent.click(screen.getByRole('checkbox', { name: `Select ${name} to compare` }))
  await pick('opus')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Compare (1)' }).disabled).toBe(true)
  await pick('gpt-4o')
  await userEvent.click(screen.getByRole('button', { name: 'Compare (2)' }))
  expect(router.state.location.search).toMatchObject({ compare: 'opus,gpt-4o' })
})

it('marks hidden models for operators', async () => {
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
  cards.push(card('secret', { hidden: true }))
  await open()
  cards.pop()
  const secret = screen.getByRole('link', { name: 'secret' }).closest('li')
  expect(within(secret as HTMLElement).getByText('Hidden')).toBeTruthy()
})

it('writes contexts and uptime as people do', () => {
  expect([8192, 16_384, 128_000, 131_072, 200_000, 1_000_000, 1_048_576, 2_000_000].map(shortTokens)).toEqual([
    ...['8k', '16k', '128k', '128k', '200k', '1M', '1M', '2M'],
  ])
})

it('has cards for the most called models and a line for each other one, where there is room', async () => {
  const narrow = window.matchMedia
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...narrow(query),
    matches: query.includes('min-width: 75.01em'),
  }))
  const names = Array.from({ length: 12 }, (_, place) => `other-${place + 10}`)
  fakeFetch({
    'GET /api/pricing': answerWith([
      ...prices.slice(0, 3),
      ...names.map((name) => item(name)),
      item('picture', byCall),
    ]),
    'GET /api/models/cards': () => [...cards, ...[...names, 'picture'].map((name) => card(name))],
    'GET /api/models/measures': () => [measures('opus'), measures('other-10'), measures('other-21')],
    'GET /api/pricing/history': () => [],
  })
  const { router } = await renderConsole(<PricingScreen />, '/pricing')
  const table = await screen.findByRole('table', { name: 'All other models' })
  expect(screen.getAllByRole('listitem').filter((entry) => entry.querySelector('dl'))).toHaveLength(6)
  expect(within(table).getAllByRole('row')).toHaveLength(1 + 16 - 6)
  expect(shown()).toHaveLength(16)
  expect(new Set(shown()).size).toBe(16)
  const row = (name: RegExp) => within(table).getByRole('row', { name })
  expect(row(/^other-20/).textContent).toContain('other-20$2.50$10.00$1.25')
  expect(row(/^picture/).textContent).toContain('$0.04')
  await userEvent.click(within(row(/^picture/)).getByRole('checkbox', { name: 'Select picture to compare' }))
  await userEvent.click(within(row(/^other-20/)).getByRole('checkbox'))
  await userEvent.click(screen.getByRole('button', { name: 'Compare (2)' }))
  expect(router.state.location.search).toMatchObject({ compare: 'picture,other-20' })
})
