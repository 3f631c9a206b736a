import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { AgentsScreen } from './screen.tsx'

beforeEach(() => {
  setLanguage('en')
  storeUser({ id: 7, username: 'alice', display_name: '', role: 1, status: 1, group: 'default' })
})

const setup = (id: string, name: string, path: string) => ({
  id,
  name,
  api: 'chat',
  notes: ['merge_file'],
  texts: [{ path, language: 'text', text: `${id} with sk-abc***xyz` }],
})

const answers = {
  'GET /api/token/': () => [{ id: 5, name: 'laptop', status: 1, key: 'abc***xyz' }],
  'GET /api/user/models': () => ['gpt-5.2'],
  'GET /api/agents/setups': () => ({
    address: 'https://gate.example',
    key: 'sk-abc***xyz',
    models: ['gpt-5.2'],
    setups: [setup('codex', 'Codex', '~/.codex/config.toml'), setup('zed', 'Zed', '~/.config/zed/settings.json')],
  }),
  'POST /api/token/5/key': () => ({ key: 'abcdefgxyz' }),
}

it('shows the settings of the chosen client with the newest key, masked until its owner asks for it', async () => {
  const sent = fakeFetch(answers)
  await renderConsole(<AgentsScreen />, '/agents')
  expect(await screen.findByText('codex with sk-abc***xyz')).toBeTruthy()
  expect(screen.getByText('Write to ~/.codex/config.toml')).toBeTruthy()
  expect(sent.some(({ query }) => query.token === '5')).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Zed' }))
  expect(await screen.findByText('zed with sk-abc***xyz')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show key' }))
  expect(await screen.findByText('zed with sk-abcdefgxyz')).toBeTruthy()
})
