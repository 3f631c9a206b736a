import { useQuotaText } from '#web/components/display/quota.tsx'
import type { TodayCard } from '#web/lib/api/contract.ts'
import { formatInteger, formatMoney, formatPercent } from '#web/lib/text/format.ts'
import { formatDay, formatMinute, formatMoment } from '#web/lib/text/format-time.ts'
import { refusalText } from '#web/lib/text/refusal-text.ts'
import { useCurrentMinute } from '#web/lib/time/current-minute.ts'
import { useTimeReader } from '#web/lib/time/time-zone.ts'
import { useCardMessages } from './card-messages.ts'

/** A card in words: the fact, its cause as the provider or the server states it, and its consequence. */
export interface CardText {
  readonly fact: string
  readonly cause: string
  readonly consequence: string
}

const halfDay = 43_200

const sentences = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

const listOf = (names: readonly string[], all: number): string =>
  all > names.length ? `${names.join(', ')} +${formatInteger(all - names.length)}` : names.join(', ')

/** Words for cards in the reader's language and time zone. */
export const useCardTexts = (): ((card: TodayCard) => CardText) => {
  const say = useCardMessages()
  const quota = useQuotaText()
  const reader = useTimeReader()
  const now = useCurrentMinute()

  const others = ({ names, value }: TodayCard): string =>
    value === 0 ? say('covered') : say('alone', { models: listOf(names, value) })

  const used = ({ detail, count, total }: TodayCard): string => {
    const text = (value: number): string => (detail === 'money' ? quota(value) : formatInteger(value))
    return say('limitUsed', { used: text(count), amount: text(total) })
  }

  /** The time alone where it is less than half a day away: no other day can be meant. */
  const moment = (at: number): string =>
    Math.abs(at - now) < halfDay ? formatMinute(at, reader.zone) : formatMoment(at, reader, true)

  const limitFact = (rule: 'limit_reached' | 'limit_ending', { name, names, at }: TodayCard): string => {
    const [subject] = names
    const values = { name, time: moment(at) }
    return subject === undefined ? say(rule, values) : say(`${rule}_of`, { ...values, subject: names.join(', ') })
  }

  const reached = (card: TodayCard): Pick<CardText, 'fact' | 'consequence'> => ({
    fact: limitFact('limit_reached', card),
    consequence: sentences(
      used(card),
      card.at === 0 ? say('limitBlocksForever') : say('limitBlocks', { time: moment(card.at) }),
    ),
  })

  const ending = (card: TodayCard): Pick<CardText, 'fact' | 'consequence'> => ({
    fact: limitFact('limit_ending', card),
    consequence: sentences(used(card), say('limitWillBlock')),
  })

  const ended = ({ name, names, at, count, total, detail, severity }: TodayCard) => ({
    fact: say(severity === 'bad' ? 'model_ended' : 'model_ending', {
      name,
      // The makers' days are those of UTC.
      day: formatDay(at, { ...reader, zone: 'UTC' }),
      calls: formatInteger(count),
    }),
    consequence: sentences(
      names.length === 0 ? '' : say('callers', { names: listOf(names, total) }),
      detail === '' ? '' : say('replacedBy', { model: detail }),
    ),
  })

  const wordsOf = (card: TodayCard): Pick<CardText, 'fact' | 'consequence'> => {
    const { rule, name, names, count, total, amount, value, at, detail } = card
    const calls = formatInteger(count)
    switch (rule) {
      case 'channel_disabled':
        return { fact: say(rule, { name }), consequence: others(card) }
      case 'channel_failing':
        return {
          fact:
            at === 0
              ? say('channel_failing_some', { name, calls, total: formatInteger(total) })
              : say(rule, { name, calls, time: moment(at) }),
          consequence: others(card),
        }
      case 'key_refused':
        return { fact: say(rule, { name, keys: calls, total: formatInteger(total) }), consequence: others(card) }
      case 'balance_low':
        return {
          fact: say(rule, { name, balance: formatMoney(value) }),
          consequence: sentences(say('soldInDay', { amount: quota(amount) }), others(card)),
        }
      case 'model_ended':
      case 'own_model_ended':
        return ended(card)
      case 'below_cost':
        return {
          fact: say(rule, { name, group: detail, share: formatPercent(1 - value), amount: quota(amount) }),
          consequence: say('belowCostOf', { calls }),
        }
      case 'unpriced':
        return { fact: say(rule, { models: calls }), consequence: say('unpricedOf', { names: listOf(names, count) }) }
      case 'limit_reached':
      case 'own_limit_reached':
        return reached(card)
      case 'limit_ending':
      case 'own_limit_ending':
        return ending(card)
      case 'user_refused':
        return { fact: say(rule, { name, calls }), consequence: say('balanceNow', { amount: quota(amount) }) }
      case 'provisional':
        return {
          fact: say(rule, { calls, amount: quota(amount) }),
          consequence: say('provisionalOf', { names: listOf(names, total) }),
        }
      case 'notices_waiting':
        return { fact: say(rule, { notices: calls }), consequence: say('triedAgain') }
      case 'key_expiring':
        return { fact: say(rule, { keys: calls }), consequence: listOf(names, count) }
      case 'prices_proposed':
        return { fact: say(rule, { prices: calls }), consequence: say('pricesOf', { source: detail }) }
      case 'records_refused':
        return { fact: say(rule, { records: calls }), consequence: '' }
      case 'own_refused':
        return { fact: say(rule, { calls }), consequence: say('balanceNow', { amount: quota(amount) }) }
      case 'own_balance_low':
        return {
          fact:
            amount <= 0
              ? say('own_balance_spent')
              : say(rule, { amount: quota(amount), days: value < 1 ? '< 1' : formatInteger(Math.floor(value)) }),
          consequence: say('own_balanceBlocks'),
        }
      case 'own_key_spent':
        return {
          fact: say(rule, { name, used: quota(count), amount: quota(total) }),
          consequence: say('own_keyBlocks'),
        }
      case 'own_key_expiring':
        return { fact: say(rule, { name, time: moment(at) }), consequence: say('own_keyEnds') }
    }
  }

  return (card) => ({ ...wordsOf(card), cause: refusalText(card.reason, card) })
}
