import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { forgetUser, storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { createQueryClient } from '../../../lib/query.ts'
import { fakeFetch } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { testToken } from '../testing-token.ts'
import { ProjectKeys } from './project-keys.tsx'

const place = { organisation_id: 5, organisation: 'Northwind', project_id: 11, project: 'Search' }
const keyNamed = (id: number, name: string, shared: boolean) => ({
  ...testToken({ id, name, key: `abc***x${id}` }),
  ...place,
  member_id: 7,
  shared,
})

beforeEach(() => {
  setLanguage('en')
  const user = { id: 7, username: 'ada', display_name: '', role: 1, status: 1, group: 'default' }
  storeUser({ ...user, organisations: 'belongs' })
})
afterEach(() => {
  cleanup()
  forgetUser()
  vi.unstubAllGlobals()
})

it('shows and replaces the secret of a key that somebody else made, and says where others may know it', async () => {
  const sent = fakeFetch({
    'GET /api/organisation/self': () => ({ payers: [], keys: [keyNamed(3, 'mine', false), keyNamed(4, 'old', true)] }),
    'POST /api/organisation/5/keys/reveal': () => ({ key: 'whole3' }),
    'POST /api/organisation/5/keys/rotate': () => ({ ...keyNamed(4, 'old', false), key: 'fresh4' }),
    'GET /api/user/models': () => [],
    'GET /api/token/models': () => [],
  })
  await renderConsole(<ProjectKeys />, '/token', createQueryClient())
  const [mine, old] = await screen.findAllByRole('listitem')
  if (mine === undefined || old === undefined) return expect.fail('two keys')
  expect(within(mine).queryByText(/Others may know/)).toBeNull()
  expect(within(old).getByText(/Others may know this key/)).toBeTruthy()
  await userEvent.click(within(mine).getByRole('button', { name: 'Show key' }))
  expect(await within(mine).findByText('sk-whole3')).toBeTruthy()
  await userEvent.click(within(old).getByRole('button', { name: 'Rotate key' }))
  const question = within(await screen.findByRole('dialog'))
  await userEvent.click(question.getByRole('button', { name: 'Rotate key' }))
  expect(await screen.findByText('sk-fresh4')).toBeTruthy()
  await waitFor(() =>
    expect(sent.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])).toEqual([
      ['/api/organisation/5/keys/reveal', { key_id: 3 }],
      ['/api/organisation/5/keys/rotate', { key_id: 4 }],
    ]),
  )
})
