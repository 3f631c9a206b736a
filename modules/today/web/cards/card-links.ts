import { logType, type StaffArea, type TodayCard } from '#web/lib/api/contract.ts'
import type { Pair } from '#web/lib/i18n.ts'
import type { useCardMessages } from './card-messages.ts'

type Word = Parameters<ReturnType<typeof useCardMessages>>[0]

/** A change that a button makes with an endpoint; `give` asks for the amount first. */
export type CardChange = 'test' | 'enable' | 'takeOut' | 'extend' | 'give'

/** Areas that administrators must be allowed to change for it. */
export const areasOf: Readonly<Record<CardChange, readonly StaffArea[]>> = {
  test: ['channels'],
  enable: ['channels'],
  takeOut: ['channels'],
  extend: [],
  give: ['users', 'billing'],
}

/** A button of a card: it leads to a page, or makes a change. */
export type CardButton =
  | { readonly label: Pair; readonly path: string; readonly search?: Readonly<Record<string, string>> }
  | { readonly word: Word; readonly path: string; readonly search?: Readonly<Record<string, string>> }
  | { readonly word: Word; readonly change: CardChange }

const failed = String(logType.error)

const exact = (model: string): string => `"${model}"`

/** Buttons of a card, the main one first; at most three. */
export const buttonsOf = ({ rule, object_id: id, name, detail, count, words }: TodayCard): readonly CardButton[] => {
  const channel = { word: 'channel', path: `/channel/${id}` } as const
  const user = { word: 'user', path: `/user/${id}` } as const
  const failedOf = (search: Readonly<Record<string, string>>) =>
    ({ word: 'calls', path: '/log', search: { type: failed, ...search } }) as const
  switch (rule) {
    case 'channel_disabled':
      return [{ word: 'test', change: 'test' }, { word: 'enable', change: 'enable' }, channel]
    case 'channel_failing':
      return [
        { word: 'takeOut', change: 'takeOut' },
        { word: 'test', change: 'test' },
        failedOf({ channel: String(id) }),
      ]
    case 'key_refused':
    case 'balance_low':
      return [channel]
    case 'model_ended':
      return [
        { word: 'route', path: '/route' },
        { word: 'calls', path: '/log', search: { model_name: exact(name) } },
      ]
    case 'below_cost':
      return [
        { word: 'setPrices', path: '/setting/prices' },
        { word: 'calls', path: '/log', search: { model_name: exact(name), group: detail } },
      ]
    case 'unpriced':
      return [{ word: 'setPrices', path: '/setting/prices', search: { prices: 'unset' } }]
    case 'limit_reached':
    case 'limit_ending':
      return [{ word: 'limit', path: '/limit', search: { edit: String(id) } }]
    case 'user_refused':
      return [{ word: 'topUpUser', change: 'give' }, user, failedOf({ username: name })]
    case 'provisional':
      return [{ word: 'declare', path: '/unknown-usage' }]
    case 'notices_waiting':
      return [{ word: 'mail', path: '/setting', search: { field: 'SMTPServer' } }]
    case 'key_expiring':
      return [count === 1 ? user : { word: 'user', path: '/user' }]
    case 'prices_proposed':
      return [{ word: 'review', path: '/setting/prices', search: { prices: 'lists' } }]
    case 'records_refused':
      return [{ word: 'usageLog', path: '/log' }]
    case 'joined':
      return words === undefined
        ? []
        : [{ label: words.button, path: words.path, ...(words.search === undefined ? {} : { search: words.search }) }]
    case 'own_refused':
      return [{ word: 'topUp', path: '/topup' }, failedOf({})]
    case 'own_balance_low':
      return [{ word: 'topUp', path: '/topup' }]
    case 'own_limit_reached':
    case 'own_limit_ending':
      return [{ word: 'limit', path: '/limit' }]
    case 'own_key_spent':
      return [{ word: 'keyPage', path: `/token/${id}` }]
    case 'own_key_expiring':
      return [
        { word: 'extend', change: 'extend' },
        { word: 'keyPage', path: `/token/${id}` },
      ]
    case 'own_model_ended':
      return [
        { word: 'models', path: '/pricing' },
        { word: 'calls', path: '/log', search: { model_name: exact(name) } },
      ]
  }
}
