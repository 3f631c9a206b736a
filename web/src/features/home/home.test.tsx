import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { HomeScreen } from './screen.tsx'

beforeEach(() => setLanguage('zh'))

const calls = [
  { method: 'POST', path: '/v1/chat/completions', dialect: 'openai' },
  { method: 'POST', path: '/v1/messages', dialect: 'anthropic' },
]

it('says what the site offers at this moment, and nothing else', async () => {
  fakeFetch({ 'GET /api/home_page_content': () => '', 'GET /api/offer': () => ({ calls, models: 12 }) })
  await renderConsole(<HomeScreen />)
  expect(await screen.findByText('当前可用 12 个模型')).toBeTruthy()
  expect(screen.getAllByText('http://localhost:3000/v1').length).toBeGreaterThan(0)
  expect(screen.getByText('/v1/messages')).toBeTruthy()
  expect(screen.queryByText('/v1/embeddings')).toBeNull()
  expect(screen.getAllByRole('link', { name: '登录' })[0]?.getAttribute('href')).toBe('/login')
})

it('says what every call of a dialect is for', async () => {
  const named = ['/v1/responses/input_tokens', '/v1/responses/compact']
  const answered = named.map((path) => ({ method: 'POST', path, dialect: 'openai' }))
  fakeFetch({ 'GET /api/home_page_content': () => '', 'GET /api/offer': () => ({ calls: answered, models: 1 }) })
  await renderConsole(<HomeScreen />)
  expect(await screen.findByText('计算 Token')).toBeTruthy()
  expect(screen.getByText('压缩对话')).toBeTruthy()
})

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
