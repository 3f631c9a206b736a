import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { webhookEvents } from '../contract.ts'
import { Webhooks } from './webhooks.tsx'

beforeEach(() => {
  setLanguage('en')
  storeUser({ id: 7, username: 'ada', display_name: '', role: 1, status: 1, group: '' })
})

const endpoint = {
  id: 3,
  name: 'orders',
  url: 'https://example.com/hook',
  events: ['batch.completed'],
  enabled: true,
  created_time: 1_790_000_000,
}
const delivery = {
  id: 9,
  event_id: 'evt_1',
  event: 'batch.completed',
  object_id: 'batch_1',
  state: 'failed',
  attempts: 18,
  status: 500,
  error: { code: 'notice_answered', params: { status: 500 }, text: 'answered 500' },
  created_time: 1_790_000_000,
  time: 1_790_000_600,
}

it('an endpoint is added for all events, and its secret is shown once', async () => {
  const list: object[] = []
  const sent = fakeFetch({
    'GET /api/webhooks': () => list,
    'POST /api/webhooks': ({ body }) => {
      const made = { ...(body as object), id: 3, created_time: 1_790_000_000 }
      list.push(made)
      return { ...made, secret: 'whsec_c2VjcmV0' }
    },
  })
  await renderConsole(<Webhooks />, '/personal/notifications')
  await userEvent.click(await screen.findByRole('button', { name: 'Add endpoint' }))
  const form = await screen.findByRole('dialog')
  await userEvent.type(within(form).getByLabelText(/^Name/), 'orders')
  await userEvent.type(within(form).getByLabelText(/^URL/), 'http://example.com/hook')
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }))
  await within(form).findByText('Enter an https URL')
  await userEvent.clear(within(form).getByLabelText(/^URL/))
  await userEvent.type(within(form).getByLabelText(/^URL/), 'https://example.com/hook')
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }))
  await screen.findByText('whsec_c2VjcmV0')
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
    name: 'orders',
    url: 'https://example.com/hook',
    events: [...webhookEvents],
    enabled: true,
  })
  expect(await screen.findByText('orders')).toBeTruthy()
})

it('deliveries say how they went, are sent again, and an endpoint is tried', async () => {
  const sent = fakeFetch({
    'GET /api/webhooks': () => [endpoint],
    'GET /api/webhooks/3/deliveries': () => [delivery],
    'POST /api/webhooks/3/deliveries/9': () => ({ ...delivery, state: 'waiting' }),
    'POST /api/webhooks/3/test': () => ({ ...delivery, id: 10, state: 'waiting', attempts: 0, error: null, status: 0 }),
  })
  await renderConsole(<Webhooks />, '/personal/notifications')
  await userEvent.click(await screen.findByRole('button', { name: 'Deliveries to orders' }))
  const row = (await screen.findByText('Failed')).closest('li') as HTMLElement
  expect(row.textContent).toContain('batch_1')
  expect(row.textContent).toContain('Attempts: 18')
  expect(row.textContent).toContain('500')
  await userEvent.click(within(row).getByRole('button', { name: 'Send again: batch.completed batch_1' }))
  await userEvent.click(screen.getByRole('button', { name: 'Send test event' }))
  await expect.poll(() => sent.filter(({ method }) => method === 'POST').length).toBe(2)
})
