import { screen } from '@testing-library/react'
import type { PricingItem } from '../../lib/api/contract.ts'
import { sessionStore } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { statusStore } from '../../lib/status.ts'
import { type FakeAnswer, fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { PricingScreen } from './screen.tsx'

/** A model billed by usage: $2.50 per million tokens in the default group. */
export const item = (model_name: string, more: Partial<PricingItem> = {}): PricingItem => ({
  model_name,
  quota_type: 0,
  model_ratio: 1.25,
  model_price: 0,
  owner_by: '',
  owner: 'openai',
  completion_ratio: 4,
  cache_ratio: 0.5,
  cache_creation_ratio: 1.25,
  enable_groups: ['default', 'vip'],
  priced: true,
  ...more,
})
export const byCall = { quota_type: 1, model_price: 0.04, model_ratio: 0, completion_ratio: 0, cache_ratio: 0 }

export const models = [
  item('a-model', { owner: 'custom', model_ratio: 0.15, completion_ratio: 1, cache_ratio: 1 }),
  item('dall-e-3', byCall),
  item('gpt-4o'),
  item('only-vip', { enable_groups: ['vip'], owner: 'anthropic' }),
  item('unset', { model_ratio: 37.5, priced: false, completion_ratio: 1 }),
]

/** The price list with these models, for a user of the groups default and vip. */
export const answerWith = (data: readonly PricingItem[]): FakeAnswer => {
  return () =>
    Response.json({
      success: true,
      message: '',
      data,
      group_ratio: { vip: 0.5, default: 1 },
      usable_group: { default: '默认分组', vip: 'VIP 分组' },
      tool_prices: { web_search: 10, 'web_search:gpt-4o*': 25 },
      tier_ratios: { 'flex:o3*': 0.5 },
    })
}

/** Opens the price list as a table, by default with the models above. */
export const open = async (path = '/pricing', answers: Readonly<Record<string, FakeAnswer>> = {}) => {
  const sent = fakeFetch({ 'GET /api/pricing': answerWith(models), ...answers })
  const view = await renderConsole(<PricingScreen />, `${path}${path.includes('?') ? '&' : '?'}view=table`)
  return { ...view, sent }
}

export const rowOf = async (name: string): Promise<HTMLElement> => {
  const row = (await screen.findByText(name)).closest('tr')
  if (!row) throw new Error(name)
  return row
}
/** The parameters of the address. */
export const search = ({ state }: { state: { location: { searchStr: string } } }): string =>
  state.location.searchStr.replace(/[?&]view=table/, '').replace(/^&/, '?')

/** A visitor who reads Chinese. */
export const startAfresh = (): void => {
  sessionStore.set(undefined)
  setLanguage('zh')
  const status = { quota_per_unit: 500_000, display_in_currency: true, server_address: 'https://gate.test/' }
  statusStore.set({ ...statusStore.get(), ...status })
}
