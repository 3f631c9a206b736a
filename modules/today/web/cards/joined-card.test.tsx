import { screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { TodayCard } from '#web/lib/api/contract.ts'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { buttonsOf } from './card-links.ts'
import { NeedsYou } from './needs-you.tsx'

beforeEach(() => {
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
  setLanguage('en')
})

const joined: TodayCard = {
  id: 'copies:4',
  rule: 'joined',
  severity: 'bad',
  object_id: 0,
  name: 'copies',
  names: [],
  count: 0,
  total: 0,
  amount: 0,
  value: 0,
  at: 0,
  detail: '',
  reason: 'the disk is full',
  snoozed_until: 0,
  words: {
    fact: {
      text: { zh: '{{failures}} 次失败', en: 'Failed {{failures}}×, last on {{day}}, by {{names}}: {{amount}}' },
      values: {
        failures: { count: 1200 },
        day: { day: Date.UTC(2026, 10, 20) / 1000 },
        names: { names: ['a', 'b'], all: 5 },
        amount: { money: 12.5 },
      },
    },
    consequence: { text: { zh: '位置 {{place}}', en: 'Stored at {{place}}' }, values: { place: '{{day}}' } },
    button: { zh: '打开', en: 'Open it' },
    path: '/log',
    search: { type: '5' },
  },
}

it('shows cards of other parts of the product with their own words and button', async () => {
  fakeFetch({})
  await renderConsole(<NeedsYou cards={[joined]} more={0} />, '/today')
  expect(screen.getByRole('heading', { level: 3 }).textContent).toMatch(
    /^Failed 1,200×, last on .*20.*2026.*, by a, b \+3: \$12\.50$/,
  )
  expect(screen.getByText('the disk is full')).toBeTruthy()
  // A value is never read as a placeholder.
  expect(screen.getByText('Stored at {{day}}')).toBeTruthy()
  expect(buttonsOf(joined)).toEqual([{ label: { zh: '打开', en: 'Open it' }, path: '/log', search: { type: '5' } }])
})
