import type { Language } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import type { Sentence, SentenceValue } from '@tollgate/contract/records/site-cards'
import { cardWords } from '../../contract/card-words.ts'
import type { StoredCard } from '../rules/rule.ts'

const day = (at: number): string => new Date(at * 1000).toISOString().slice(0, 10)
const minute = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const moneyDigits = 2
const percent = 100

interface SentenceParts {
  readonly language: Language
  /** Quota as notices write it. */
  amountText(quota: number): string
}

const valueText = (value: SentenceValue, { language, amountText }: SentenceParts): string => {
  if (typeof value === 'string') return value
  if ('names' in value) {
    const more = value.all - value.names.length
    return `${value.names.join(language === 'zh' ? '、' : ', ')}${more > 0 ? ` +${more}` : ''}`
  }
  if ('count' in value) return String(value.count)
  if ('quota' in value) return amountText(value.quota)
  if ('money' in value) return `$${value.money.toFixed(moneyDigits)}`
  if ('share' in value) return `${(value.share * percent).toFixed(1)}%`
  return 'day' in value ? day(value.day) : minute(value.moment)
}

const textOf = ({ text, values }: Sentence, parts: SentenceParts): string =>
  text[parts.language].replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = ownMember(values, name)
    return value === undefined ? '' : valueText(value, parts)
  })

/** The fact of a card and its consequence, as the screen has them, for mails and webhooks; times are those of UTC. */
export const cardSentence = (card: StoredCard, parts: SentenceParts): string => {
  const { fact, consequence } = cardWords(card)
  const rest = consequence.map((each) => textOf(each, parts)).join(' ')
  return rest === '' ? textOf(fact, parts) : `${textOf(fact, parts)}${parts.language === 'zh' ? '。' : '. '}${rest}`
}
