import type { Language } from '@tollgate/contract'
import type { StoredCard } from '../rules/rule.ts'

interface Sentence {
  readonly zh: string
  readonly en: string
}

const day = (at: number): string => new Date(at * 1000).toISOString().slice(0, 10)
const minute = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** The limit with its subject, where it has one. */
const limitName = ({ name, names }: StoredCard): string => (names.length === 0 ? name : `${name} (${names.join(', ')})`)

const sentenceOf = (card: StoredCard, amountText: (quota: number) => string): Sentence => {
  const { rule, name, names, count, total, amount, value, at, detail } = card
  switch (rule) {
    case 'channel_disabled':
      return { zh: `渠道「${name}」已被自动禁用`, en: `Channel ${name} was auto-disabled` }
    case 'channel_failing':
      return at === 0
        ? {
            zh: `渠道「${name}」${total} 次调用中失败 ${count} 次`,
            en: `Channel ${name} failed ${count} of ${total} calls`,
          }
        : {
            zh: `渠道「${name}」自 ${minute(at)} 起没有成功的调用（${count} 次失败）`,
            en: `Channel ${name} has had no successful calls since ${minute(at)} (${count} failed)`,
          }
    case 'key_refused':
      return {
        zh: `渠道「${name}」的 ${total} 个密钥中有 ${count} 个被拒绝`,
        en: `Channel ${name}: ${count} of ${total} keys rejected by the provider`,
      }
    case 'balance_low':
      return {
        zh: `渠道「${name}」在提供商的余额仅剩 ${value.toFixed(2)}`,
        en: `Channel ${name} has a provider balance of ${value.toFixed(2)}`,
      }
    case 'model_ended':
    case 'own_model_ended':
      return {
        zh: `${name} 的停用日期是 ${day(at)}，仍有 ${count} 次调用`,
        en: `${name} retires on ${day(at)} and still had ${count} calls`,
      }
    case 'below_cost':
      return {
        zh: `分组「${detail}」的 ${name} 低于成本：自昨日起 -${amountText(amount)}`,
        en: `${name} is sold below cost to group ${detail}: -${amountText(amount)} since yesterday`,
      }
    case 'unpriced':
      return {
        zh: `${count} 个模型没有价格：${names.join('、')}`,
        en: `${count} models without a price: ${names.join(', ')}`,
      }
    case 'limit_reached':
    case 'own_limit_reached':
      return { zh: `限额「${limitName(card)}」已用尽`, en: `Limit ${limitName(card)} is used up` }
    case 'limit_ending':
    case 'own_limit_ending':
      return {
        zh: `限额「${limitName(card)}」将于 ${minute(at)} 用尽`,
        en: `Limit ${limitName(card)} will run out at ${minute(at)}`,
      }
    case 'user_refused':
      return {
        zh: `${name} 因余额不足被拒绝 ${count} 次，余额 ${amountText(amount)}`,
        en: `${name}: ${count} calls rejected for insufficient balance (${amountText(amount)} left)`,
      }
    case 'provisional':
      return {
        zh: `${count} 次调用按暂定价格计费：${amountText(amount)}`,
        en: `${count} calls billed at provisional prices: ${amountText(amount)}`,
      }
    case 'notices_waiting':
      return { zh: `${count} 条通知未能送达`, en: `${count} notifications couldn’t be delivered` }
    case 'key_expiring':
      return {
        zh: `${count} 个使用中的令牌将在三天内到期：${names.join('、')}`,
        en: `${count} active API keys expire within three days: ${names.join(', ')}`,
      }
    case 'prices_proposed':
      return { zh: `${count} 项价格变动待审核`, en: `${count} price changes to review` }
    case 'records_refused':
      return { zh: `${count} 条调用记录未能写入数据库`, en: `${count} call records couldn’t be saved` }
    case 'own_refused':
      return { zh: `${count} 次调用因余额不足被拒绝`, en: `${count} calls rejected for insufficient balance` }
    case 'own_balance_low':
      return { zh: `余额仅剩 ${amountText(amount)}`, en: `Your balance is down to ${amountText(amount)}` }
    case 'own_key_spent':
      return { zh: `令牌「${name}」的预算即将用尽`, en: `API key ${name} has almost used its budget` }
    case 'own_key_expiring':
      return { zh: `令牌「${name}」将于 ${minute(at)} 到期`, en: `API key ${name} expires on ${minute(at)}` }
  }
}

/** The fact of a card in a sentence for mails and webhooks; times are those of UTC. */
export const cardSentence = (card: StoredCard, language: Language, amountText: (quota: number) => string): string => {
  const { zh, en } = sentenceOf(card, amountText)
  return language === 'zh' ? zh : en
}
