import type { Sentence, SentenceValue } from '@tollgate/contract/records/site-cards'
import { cardTexts } from './card-texts.ts'
import type { TodayCard } from './cards.ts'

/** A card before it is shown: the words of its fact, and those of its consequence. */
export interface CardWords {
  readonly fact: Sentence
  readonly consequence: readonly Sentence[]
}

/** Fields of a card that its words are made of. */
export type WordedCard = Pick<
  TodayCard,
  'rule' | 'severity' | 'name' | 'names' | 'count' | 'total' | 'amount' | 'value' | 'at' | 'detail' | 'words'
>

type Values = Readonly<Record<string, SentenceValue>>

const say = (key: keyof typeof cardTexts, values: Values = {}): Sentence => ({
  text: cardTexts[key],
  values: { ...values },
})

/** Models of a channel that no other one answers. */
const others = ({ names, value }: WordedCard): Sentence =>
  value === 0 ? say('covered') : say('alone', { models: { names: [...names], all: value } })

const limitValues = ({ name, names, at }: WordedCard): Values => ({
  name,
  time: { moment: at },
  subject: names.join(', '),
})

const used = ({ detail, count, total }: WordedCard): Sentence => {
  const value = (amount: number): SentenceValue => (detail === 'money' ? { quota: amount } : { count: amount })
  return say('limitUsed', { used: value(count), amount: value(total) })
}

const ended = ({ name, names, at, count, total, detail, severity }: WordedCard): CardWords => ({
  // The makers' days are those of UTC.
  fact: say(severity === 'bad' ? 'model_ended' : 'model_ending', { name, day: { day: at }, calls: { count } }),
  consequence: [
    ...(names.length === 0 ? [] : [say('callers', { names: { names: [...names], all: total } })]),
    ...(detail === '' ? [] : [say('replacedBy', { model: detail })]),
  ],
})

/** The fact and the consequence of a card, for screens, mails and webhooks. */
export const cardWords = (card: WordedCard): CardWords => {
  const { rule, name, names, count, total, amount, value, at, detail, words } = card
  const calls = { count }
  const quota = { quota: amount }
  switch (rule) {
    case 'joined':
      return words === undefined
        ? { fact: { text: { zh: name, en: name }, values: {} }, consequence: [] }
        : { fact: words.fact, consequence: words.consequence === undefined ? [] : [words.consequence] }
    case 'channel_disabled':
      return { fact: say(rule, { name }), consequence: [others(card)] }
    case 'channel_failing':
      return {
        fact:
          at === 0
            ? say('channel_failing_some', { name, calls, total: { count: total } })
            : say(rule, { name, calls, time: { moment: at } }),
        consequence: [others(card)],
      }
    case 'key_refused':
      return { fact: say(rule, { name, keys: calls, total: { count: total } }), consequence: [others(card)] }
    case 'balance_low':
      return {
        fact: say(rule, { name, balance: { money: value } }),
        consequence: [say('soldInDay', { amount: quota }), others(card)],
      }
    case 'model_ended':
    case 'own_model_ended':
      return ended(card)
    case 'below_cost':
      return {
        fact: say(rule, { name, group: detail, share: { share: 1 - value }, amount: quota }),
        consequence: [say('belowCostOf', { calls })],
      }
    case 'unpriced':
      return {
        fact: say(rule, { models: calls }),
        consequence: [say('unpricedOf', { names: { names: [...names], all: count } })],
      }
    case 'limit_reached':
    case 'own_limit_reached':
      return {
        fact: say(names.length === 0 ? 'limit_reached' : 'limit_reached_of', limitValues(card)),
        consequence: [used(card), at === 0 ? say('limitBlocksForever') : say('limitBlocks', { time: { moment: at } })],
      }
    case 'limit_ending':
    case 'own_limit_ending':
      return {
        fact: say(names.length === 0 ? 'limit_ending' : 'limit_ending_of', limitValues(card)),
        consequence: [used(card), say('limitWillBlock')],
      }
    case 'user_refused':
      return { fact: say(rule, { name, calls }), consequence: [say('balanceNow', { amount: quota })] }
    case 'provisional':
      return {
        fact: say(rule, { calls, amount: quota }),
        consequence: [say('provisionalOf', { names: { names: [...names], all: total } })],
      }
    case 'notices_waiting':
      return { fact: say(rule, { notices: calls }), consequence: [say('triedAgain')] }
    case 'key_expiring':
      return {
        fact: say(rule, { keys: calls }),
        consequence: [say('keysOf', { names: { names: [...names], all: count } })],
      }
    case 'prices_proposed':
      return { fact: say(rule, { prices: calls }), consequence: [say('pricesOf', { source: detail })] }
    case 'records_refused':
      return { fact: say(rule, { records: calls }), consequence: [] }
    case 'own_refused':
      return { fact: say(rule, { calls }), consequence: [say('balanceNow', { amount: quota })] }
    case 'own_balance_low': {
      const days = value < 1 ? '< 1' : { count: Math.floor(value) }
      return {
        fact: amount <= 0 ? say('own_balance_spent') : say(rule, { amount: quota, days }),
        consequence: [say('own_balanceBlocks')],
      }
    }
    case 'own_key_spent':
      return {
        fact: say(rule, { name, used: { quota: count }, amount: { quota: total } }),
        consequence: [say('own_keyBlocks')],
      }
    case 'own_key_expiring':
      return { fact: say(rule, { name, time: { moment: at } }), consequence: [say('own_keyEnds')] }
  }
}
