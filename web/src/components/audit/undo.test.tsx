import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../lib/api/contract.ts'
import { storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { UndoChange } from './undo.tsx'

const root = { id: 1, username: 'root', display_name: '', role: 100, status: 1, group: '' }

beforeEach(() => {
  setLanguage('en')
  storeUser(root)
})

const entry = (fields: Partial<AuditEntry>): AuditEntry => ({
  id: 70,
  created_at: 1_900_000_000,
  actor_id: 1,
  actor_name: 'root',
  action: 'user.update',
  object: 'user',
  object_id: '9',
  object_name: 'carol',
  before: { group: 'default' },
  after: { group: 'vip' },
  ip: '',
  ...fields,
})

const undoButton = () => screen.findByRole('button', { name: 'Undo' })
const confirm = async (): Promise<void> => {
  await userEvent.click(await undoButton())
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Undo' }))
}
/** The screen has read the values and shows no button. */
const noButton = async (sent: readonly { path: string }[], path: string): Promise<void> => {
  await waitFor(() => expect(sent.some((call) => call.path === path)).toBe(true))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
}

describe('taking a change back', () => {
  it('asks, puts the values back, and then is not offered again', async () => {
    let group = 'vip'
    const sent = fakeFetch({
      'GET /api/user/9': () => ({ id: 9, username: 'carol', group }),
      'PUT /api/user/': ({ body }) => {
        group = (body as { group: string }).group
        return null
      },
    })
    await renderConsole(<UndoChange entry={entry({})} />, '/audit')
    await userEvent.click(await undoButton())
    const question = await screen.findByRole('dialog')
    expect(question.textContent).toContain('root changed user carol')
    expect(question.textContent).toContain('group default → vip')
    await userEvent.click(within(question).getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
    expect(sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([{ id: 9, group: 'default' }])
  })

  it('is refused with the reason where the value was changed while the question was open', async () => {
    let reads = 0
    const sent = fakeFetch({
      'GET /api/user/9': () => {
        reads += 1
        return { id: 9, group: reads > 1 ? 'gold' : 'vip' }
      },
    })
    await renderConsole(<UndoChange entry={entry({})} />, '/audit')
    await confirm()
    expect(await screen.findByText('It has changed since. Check the current values first.')).toBeTruthy()
    expect(sent.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  it('is not offered where the value is not what the entry left, or the reader may not see it', async () => {
    const sent = fakeFetch({ 'GET /api/user/9': () => ({ id: 9, group: 'gold' }) })
    const { unmount } = await renderConsole(<UndoChange entry={entry({})} />, '/audit')
    await noButton(sent, '/api/user/9')
    unmount()
    const others = fakeFetch({ 'GET /api/token/4': () => refused('gone', 'not_found') })
    const ofKey = {
      action: 'token.update',
      object: 'token',
      object_id: '4',
      before: { name: 'a' },
      after: { name: 'b' },
    }
    await renderConsole(<UndoChange entry={entry(ofKey)} />, '/audit')
    await noButton(others, '/api/token/4')
  })

  it.each([
    ['user.disable', { status: 1 }, { status: 2 }, { id: 9, action: 'enable' }],
    ['user.enable', { status: 2 }, { status: 1 }, { id: 9, action: 'disable' }],
    ['user.promote', { role: 1 }, { role: 10 }, { id: 9, action: 'demote' }],
    ['user.demote', { role: 10 }, { role: 1 }, { id: 9, action: 'promote' }],
  ])('takes %s of a user back', async (action, before, after, body) => {
    const sent = fakeFetch({ 'GET /api/user/9': () => ({ id: 9, ...after }), 'POST /api/user/manage': () => null })
    await renderConsole(<UndoChange entry={entry({ action, before, after })} />, '/audit')
    await confirm()
    await waitFor(() => expect(sent.find(({ method }) => method === 'POST')?.body).toEqual(body))
  })

  it('takes an adjusted balance back by the same amount, with a reason, once for an entry', async () => {
    const sent = fakeFetch({ 'GET /api/user/9': () => ({ id: 9, quota: 3_000_000 }), 'PUT /api/user/': () => null })
    const adjusted = { action: 'user.quota', before: { quota: 500_000 }, after: { quota: 3_000_000, reason: 'gift' } }
    await renderConsole(<UndoChange entry={entry(adjusted)} />, '/audit')
    await confirm()
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({
        id: 9,
        quota_delta: -2_500_000,
        reason: 'Undo #70',
        adjustment: 'undo_entry_70',
      }),
    )
  })

  it('takes fields of an own key back, flags as calls know them', async () => {
    const now = { id: 4, status: 2, unlimited_quota: true, model_limits: 'gpt-5' }
    const sent = fakeFetch({ 'GET /api/token/4': () => now, 'PUT /api/token/': () => now })
    const changed = {
      action: 'token.update',
      object: 'token',
      object_id: '4',
      before: { status: 1, unlimited_quota: 0, model_limits: '' },
      after: { status: 2, unlimited_quota: 1, model_limits: 'gpt-5' },
    }
    await renderConsole(<UndoChange entry={entry(changed)} />, '/audit')
    await confirm()
    await waitFor(() =>
      expect(sent.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body])).toEqual([
        ['/api/token/', { id: 4, unlimited_quota: false, model_limits: '' }],
        ['/api/token/', { id: 4, status: 1 }],
      ]),
    )
    expect(sent.findLast(({ method }) => method === 'PUT')?.query).toEqual({ status_only: 'true' })
  })

  it('takes fields of the key of another user back', async () => {
    const key = { id: 4, user_id: 9, name: 'b' }
    const sent = fakeFetch({
      'GET /api/user/9/tokens': () => ({ items: [key] }),
      'PUT /api/user/9/tokens/4': () => key,
    })
    const changed = {
      action: 'token.update',
      object: 'token',
      object_id: '4',
      object_owner: 9,
      before: { name: 'a' },
      after: { name: 'b' },
    }
    await renderConsole(<UndoChange entry={entry(changed)} />, '/audit')
    await confirm()
    await waitFor(() => expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ name: 'a' }))
    expect(sent.some(({ path }) => path === '/api/token/4')).toBe(false)
  })

  it('takes fields of a limit back and leaves the others as they are', async () => {
    const limit = { id: 3, owner_id: 0, changed_time: 5, name: 'cap', measure: 'money', amount: 9, window: 'month' }
    const sent = fakeFetch({ 'GET /api/limits': () => [limit], 'PUT /api/limits/3': () => limit })
    const changed = {
      action: 'limit.update',
      object: 'limit',
      object_id: '3',
      before: { amount: 5 },
      after: { amount: 9 },
    }
    await renderConsole(<UndoChange entry={entry(changed)} />, '/audit')
    await confirm()
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({
        name: 'cap',
        measure: 'money',
        amount: 5,
        window: 'month',
      }),
    )
  })

  it('is offered to those who may make the change', async () => {
    storeUser({ ...root, role: 10, permissions: { set: 'custom', areas: { users: 'write', audit: 'read' } } })
    const sent = fakeFetch({ 'GET /api/user/9': () => ({ id: 9, group: 'vip', quota: 2 }) })
    await renderConsole(
      <>
        <UndoChange entry={entry({})} />
        <UndoChange entry={entry({ id: 71, action: 'user.quota', before: { quota: 1 }, after: { quota: 2 } })} />
        <UndoChange entry={entry({ id: 72, action: 'user.demote', before: { role: 10 }, after: { role: 1 } })} />
        <UndoChange entry={entry({ id: 73, action: 'user.delete', before: { deleted_at: null }, after: {} })} />
      </>,
      '/audit',
    )
    await undoButton()
    expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1)
    expect(sent.filter(({ path }) => path === '/api/user/9')).toHaveLength(1)
  })
})
