import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { HomeScreen } from './screen.tsx'

beforeEach(() => setLanguage('zh'))

const calls = [
  { method: 'POST', path: '/v1/chat/completions', dialect: 'OpenAI' },
  { method: 'POST', path: '/v1/messages', dialect: 'Anthropic' },
]

it('says what the site offers at this moment, and nothing else', async () => {
  fakeFetch({ 'GET /api/home_page_content': () => '', 'GET /api/offer': () => ({ calls, models: 12 }) })
  await renderConsole(<HomeScreen />)
  expect(await screen.findByText('12 个模型可用')).toBeTruthy()
  expect(screen.getAllByText('http://localhost:3000/v1').length).toBeGreaterThan(0)
  expect(screen.getByText('/v1/messages')).toBeTruthy()
  expect(screen.queryByText('/v1/embeddings')).toBeNull()
  expect(screen.getAllByRole('link', { name: '登录' })[0]?.getAttribute('href')).toBe('/login')
})

it.each([
  ['zh', '计算 Token', '发送前得知用量'],
  ['en', 'Count tokens', 'Before you send'],
] as const)(
  'says in %s what a call is for; one without a caption has the name of its API',
  async (language, name, text) => {
    setLanguage(language)
    const caption = {
      name: { zh: '计算 Token', en: 'Count tokens' },
      text: { zh: '发送前得知用量', en: 'Before you send' },
    }
    const captioned = [
      { method: 'POST', path: '/v1/responses/input_tokens', dialect: 'OpenAI', caption },
      { method: 'POST', path: '/telegraph/wire', dialect: 'Telegraph' },
    ]
    fakeFetch({ 'GET /api/home_page_content': () => '', 'GET /api/offer': () => ({ calls: captioned, models: 1 }) })
    await renderConsole(<HomeScreen />)
    expect(await screen.findByText(name)).toBeTruthy()
    expect(screen.getByText(text)).toBeTruthy()
    expect(screen.getAllByText('Telegraph')).toHaveLength(2)
  },
)

it('says that there are no models yet', async () => {
  fakeFetch({ 'GET /api/home_page_content': () => '', 'GET /api/offer': () => ({ calls, models: 0 }) })
  await renderConsole(<HomeScreen />)
  expect(await screen.findByText('尚未接入模型')).toBeTruthy()
})

it('gives place to the operator’s own page', async () => {
  fakeFetch({ 'GET /api/home_page_content': () => '# Hello\n\n<script>1</script><b>there</b>' })
  const { container } = await renderConsole(<HomeScreen />)
  expect((await screen.findByText('there')).tagName).toBe('B')
  expect(container.querySelector('section script')).toBeNull()
  expect(screen.getByRole('heading', { name: 'Hello' }).tagName).toBe('H1')
})
